import { type CompiledQuery, type Expression, ValueNode } from 'kysely'
import type { Db } from './strict-writes.ts'

/** Of one query: filters and pages are chosen by callers. Each takes some twenty kilobytes. */
const MOST_SHAPES = 200

/** Stands for a value while a query is built; the compiled query has it among its parameters. */
class Place implements Expression<never> {
  readonly name: string
  readonly index: number | undefined
  constructor(name: string, index?: number) {
    this.name = name
    this.index = index
  }
  get expressionType() {
    return undefined
  }
  toOperationNode() {
    return ValueNode.create(this)
  }
}

type Given = Record<string, unknown>
/** A query of Kysely's builder, or its `sql`. */
interface Query<Row> {
  compile(db: Db): CompiledQuery<Row>
}

const placesOf = (given: Given) =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      value === undefined
        ? undefined
        : Array.isArray(value)
          ? value.map((_, index) => new Place(name, index))
          : new Place(name),
    ]),
  )
function valueAt(given: Given, parameter: unknown): unknown {
  if (Array.isArray(parameter)) return parameter.map((one) => valueAt(given, one))
  if (!(parameter instanceof Place)) return parameter
  const value = given[parameter.name]
  return parameter.index === undefined ? value : (value as unknown[])[parameter.index]
}
const sizeOf = (value: unknown) => (value === undefined ? 0 : Array.isArray(value) ? [value.length] : 1)

/**
 * A query that is built and compiled once for each shape, which takes as long as running a small one. `shape` is what
 * its text depends on; `given` its values, which `build` only hands on, as they are not known yet: what is absent and
 * the number of elements of a list are part of the shape, the values are not. Other values that the text contains
 * must follow from the shape. What callers have without number, such as ids or totals, belongs into `given`, or is not
 * prepared: it would drop what everybody uses.
 */
export function prepared<Values extends Given, Row, Shape>(
  build: (db: Db, given: Values, shape: Shape) => Query<Row>,
) {
  const known = new Map<string, CompiledQuery<Row>>()
  function compiledFor(db: Db, given: Values, shape: Shape) {
    const key = JSON.stringify([shape, ...Object.values(given).map(sizeOf)])
    const found = known.get(key)
    if (found) {
      // Used last, thus dropped last.
      known.delete(key)
      known.set(key, found)
      return found
    }
    const made = build(db, placesOf(given) as Values, shape).compile(db)
    const [oldest] = known.size >= MOST_SHAPES ? known.keys() : []
    if (oldest !== undefined) known.delete(oldest)
    known.set(key, made)
    return made
  }
  /** A query of one shape needs none. */
  type Shapes = unknown extends Shape ? [] : [shape: Shape]
  return async (db: Db, given: Values, ...[shape]: Shapes): Promise<Row[]> => {
    const compiled = compiledFor(db, given, shape as Shape)
    const parameters = compiled.parameters.map((parameter) => valueAt(given, parameter))
    const { rows } = await db.getExecutor().executeQuery<Row>({ ...compiled, parameters })
    return rows
  }
}
