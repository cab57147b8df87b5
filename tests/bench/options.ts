import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: 'string', multiple: true },
    rounds: { type: 'string' },
    quick: { type: 'boolean' },
    all: { type: 'boolean' },
    keep: { type: 'string' },
    compare: { type: 'boolean' },
    profile: { type: 'string' },
  },
})

/** Options of `npm run bench -- [part] [part of a name …]`. */
export const options = {
  ...values,
  /** Numbers of orders. */
  sizes: values.size?.map(Number),
  rounds: values.rounds === undefined ? undefined : Number(values.rounds),
  part: positionals[0],
  /** Measures whose name contains one of these; all when empty. */
  names: positionals.slice(1),
}

/** `--quick` checks that a program works; its figures mean little. */
export const isQuick = options.quick ?? false

export const isWanted = (name: string) =>
  options.names.length === 0 || options.names.some((part) => name.includes(part))
