import { type LimitNode, type OffsetNode, type OperationNode, PostgresQueryCompiler, ValueNode } from 'kysely'

/**
 * Writes LIMIT and OFFSET as literals and leaves OFFSET 0 out: a plan that is kept (`named-statements.ts`) depends on
 * them, and with a parameter PostgreSQL would assume that a tenth of all rows are wanted.
 */
export class LiteralLimits extends PostgresQueryCompiler {
  protected override visitLimit(node: LimitNode) {
    super.visitLimit({ ...node, limit: asLiteral(node.limit) })
  }
  protected override visitOffset(node: OffsetNode) {
    const offset = asLiteral(node.offset)
    if (!(ValueNode.is(offset) && offset.value === 0)) super.visitOffset({ ...node, offset })
  }
}
const asLiteral = (node: OperationNode) => (ValueNode.is(node) ? ValueNode.createImmediate(node.value) : node)
