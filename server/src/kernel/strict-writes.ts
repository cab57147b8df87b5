import type { DB } from '@garantia/migrations/schema'
import type {
  ControlledTransaction,
  Expression,
  ExpressionBuilder,
  InsertObject,
  InsertQueryBuilder,
  InsertResult,
  Kysely,
  OnConflictBuilder,
  OnConflictDoNothingBuilder,
  OnConflictUpdateBuilder,
  UpdateObject,
  UpdateQueryBuilder,
  UpdateResult,
} from 'kysely'

type Table = keyof DB & string
type KeysOf<Row> = Row extends unknown ? keyof Row : never

/**
 * Kysely takes any object that has the right columns: a key too many in a spread or in a variable compiles, and
 * PostgreSQL refuses it when the query runs. This type asks for `never` in each such key.
 */
type Checked<T extends Table, Row> = Row & { [Key in Exclude<KeysOf<Row>, keyof DB[T]>]: never }

interface Insert<T extends Table> {
  values<const Rows extends InsertObject<DB, T> | readonly InsertObject<DB, T>[]>(
    rows: [Rows] extends [readonly (infer Row)[]] ? readonly Checked<T, Row>[] : Checked<T, Rows>,
  ): Inserted<T>
}

type OnConflict<T extends Table> = OnConflictDoNothingBuilder<DB, T> | OnConflictUpdateBuilder<DB, T>
export interface Inserted<T extends Table>
  extends Omit<InsertQueryBuilder<DB, T, InsertResult>, 'onConflict'> {
  onConflict(on: (conflict: Conflict<T>) => OnConflict<T>): InsertQueryBuilder<DB, T, InsertResult>
}
interface Conflict<T extends Table> extends Pick<OnConflictBuilder<DB, T>, 'doNothing'> {
  column(column: keyof DB[T] & string): Conflict<T>
  columns(columns: readonly (keyof DB[T] & string)[]): Conflict<T>
  expression(index: Expression<unknown>): Conflict<T>
  /** Of a partial unique index. */
  where(column: keyof DB[T] & string, operator: 'is', value: null): Conflict<T>
  doUpdateSet<Row extends UpdateObject<DB, T>>(columns: Checked<T, Row>): OnConflictUpdateBuilder<DB, T>
}

type Expressions<T extends Table, Row> = (eb: ExpressionBuilder<DB, T>) => Row
interface Update<T extends Table> {
  set<Columns extends UpdateObject<DB, T> | Expressions<T, UpdateObject<DB, T>>>(
    columns: [Columns] extends [Expressions<T, infer Row>]
      ? Columns & Expressions<T, Checked<T, Row>>
      : Checked<T, Columns>,
  ): UpdateQueryBuilder<DB, T, T, UpdateResult>
}

type Unchanged =
  | 'selectFrom'
  | 'selectNoFrom'
  | 'deleteFrom'
  | 'fn'
  | 'isTransaction'
  | 'getExecutor'
  | 'destroy'
interface Transaction {
  execute<R>(work: (db: Db) => Promise<R>): Promise<R>
}
/**
 * Kysely, except that `insertInto` is followed by `values` and `updateTable` by `set`, and that both refuse at
 * compile time a key that is no column of their table. What would give back a plain Kysely is left out. A
 * transaction whose end the caller chooses only reads.
 */
export interface Db extends Pick<Kysely<DB>, Unchanged> {
  insertInto<T extends Table>(table: T): Insert<T>
  updateTable<T extends Table>(table: T): Update<T>
  transaction(): Transaction & {
    setIsolationLevel(level: 'repeatable read'): { setAccessMode(mode: 'read only'): Transaction }
  }
  startTransaction(): {
    setAccessMode(mode: 'read only'): {
      execute(): Promise<Db & Pick<ControlledTransaction<DB>, 'rollback'>>
    }
  }
}

/** The same object under the stricter type; TypeScript cannot compare the two `updateTable` by itself. */
export const withStrictWrites = (db: Kysely<DB>) => db as unknown as Db
