#include "headrace/graph/op.h"

#include <fmt/ranges.h>

#include "headrace/graph/op_text.h"

namespace headrace {

std::string Op::ToString() const {
  AttributePrinter printer;
  const_cast<Op*>(this)->Attributes(
      printer);  // the visitor takes references, and the printer only reads them
  return printer.text().empty() ? std::string(name()) : fmt::format("{} {{{}}}", name(), printer.text());
}

Values Op::WantedGradient(const Node& node, std::span<const Value> cotangents,
                          const std::vector<bool>&) const {
  return Gradient(node, cotangents);
}

}  // namespace headrace
