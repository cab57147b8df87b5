import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { orderInput } from '@garantia/shared/orders/schema'
import { describe, expect, test } from 'vitest'
import { procedures } from './api/procedures.ts'
import { STATES } from './e2e/audited-states.ts'
import { rawHandlers } from './support/raw-handlers.ts'

/**
 * The steps of CONTRIBUTING's recipes that neither the compiler nor another test would miss. Where a place leaves
 * a field out on purpose, it is named here, so that leaving one out is a decision.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
/** The text of every file below a folder whose name passes. */
const readAll = (folder: string, isRead = (name: string) => /\.tsx?$/.test(name) && !/\.test\./.test(name)) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isRead(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')
const mentions = (text: string, name: string) => new RegExp(`\\b${name}\\b`).test(text)

const FIELDS = Object.keys(orderInput.shape)
const without = (...names: string[]) => FIELDS.filter((name) => !names.includes(name))
/** Chosen by the permissions of whoever creates the order, never typed. */
const BY_SERVER = 'technician_user_id'
/** Shown as names of brand, company and person. */
const AS_NAMES = ['brand_id', 'company_id', 'responsible_user_id']

describe('a new field of the order (CONTRIBUTING 5.1)', () => {
  test('has its input in the form', () => {
    const form = readAll('client/src/features/orders/form')
    expect(without(BY_SERVER).filter((name) => !form.includes(`name="${name}"`))).toEqual([])
  })

  test('is shown on the detail page, or left out of it here', () => {
    const page = read('client/src/features/orders/detail/general-tab.tsx')
    // In the heading, in the total, or on the dossier and the edit page only.
    const leftOut = [BY_SERVER, ...AS_NAMES, 'os_number', 'service_value', 'parts_value', 'parts_replaced']
    expect(without(...leftOut).filter((name) => !mentions(page, name))).toEqual([])
  })

  test('is a column of the export, or left out of it here', () => {
    const columns = read('server/src/features/orders/list/columns.ts')
    const longTexts = ['problem_description', 'diagnosis', 'solution_applied', 'parts_replaced']
    const leftOut = [BY_SERVER, ...AS_NAMES, ...longTexts, 'vehicle_color', 'vehicle_value', 'customer_email']
    expect(without(...leftOut).filter((name) => !mentions(columns, name))).toEqual([])
  })

  test('is part of the dossier and its report, or left out of them here', () => {
    const manifest = read('server/src/features/records/dossier/manifest.ts')
    const report = read('worker/src/dossier/report.ts')
    // Of the customer only the name leaves the installation (DECISIONS 36).
    const customer = ['customer_email', 'customer_phone', 'customer_document']
    const included = without(BY_SERVER, ...AS_NAMES, ...customer, 'vehicle_value')
    expect(included.filter((name) => !mentions(manifest, name) || !mentions(report, name))).toEqual([])
  })

  test('of the customer is removed from the history with the order (D-47)', () => {
    const list = /const CUSTOMER = \[([^\]]*)\]/.exec(
      read('server/src/features/records/chain/redaction.ts'),
    )?.[1]
    const customer = FIELDS.filter((name) => name.startsWith('customer_'))
    expect(customer.filter((name) => !list?.includes(`'${name}'`))).toEqual([])
  })
})

describe('what changes something acts once (CONTRIBUTING 4, screens)', () => {
  const screens = readdirSync(join(ROOT, 'client/src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\./.test(path))
    .map((path) => ({ path, text: read(`client/src/${path}`) }))
  const pathsOf = (isMeant: (text: string) => boolean) =>
    screens.filter(({ text }) => isMeant(text)).map(({ path }) => path.replace(/^.*\//, ''))

  test('no mutation is started without its promise, by which a second press is known', () => {
    // Nonces before a photo is taken, the code in the address that the directory sends back, photos that are read once
    // they are chosen: no presses.
    expect(pathsOf((text) => /\.mutate\b/.test(text)).sort()).toEqual([
      'capture-nonces.ts',
      'login-page.tsx',
      'read-photo.ts',
    ])
  })

  test('a promise is held by a press, or is handed on by a hook whose callers press', () => {
    const holds = /\b(usePress|useSave|useSingleFlight|usePasskey|ModalForm|ConfirmDialog|DeleteDialog)\b/
    const handedOn = [
      'file-changes.ts',
      'use-bulk-actions.ts',
      'use-bulk-sending.ts',
      'use-new-order.ts',
      'use-order-change.ts',
      // Turns of a photo are gathered for half a second.
      'use-rotations.ts',
      'use-sending.ts',
      'use-taken.ts',
    ]
    const found = pathsOf((text) => text.includes('mutateAsync') && !holds.test(text))
    expect(found.sort()).toEqual(handedOn)
  })

  test('no handler of an event starts a mutation by itself, or by a function beside it', () => {
    const start = 'const { mutateAsync: remove } = x.useMutation(); const start = () => remove()'
    expect(rawHandlers(`${start}; const a = <Button onClick={() => void start()} />`)).toEqual([
      'Button onClick',
    ])
    expect(rawHandlers(`const a = <form onSubmit={(e) => save.mutateAsync(e)} />`)).toEqual(['form onSubmit'])
    expect(
      rawHandlers(`${start}; const { press } = usePress(start); const a = <Button onClick={press} />`),
    ).toEqual([])
    expect(rawHandlers(`${start}; const a = <ConfirmDialog onConfirm={start} />`)).toEqual([])
    const drawn = screens.filter(({ path }) => path.endsWith('.tsx'))
    const found = drawn.map(({ path, text }) => [path, ...rawHandlers(text)])
    expect(found.filter(({ length }) => length > 1)).toEqual([])
  })

  test('every call that changes something is pressed twice in a browser, or is named here', () => {
    const rows = readAll('tests/e2e', (name) => name.startsWith('double-press'))
    const unpressed = procedures.filter(
      ({ path, type }) => type === 'mutation' && !rows.includes(`'${path}'`),
    )
    expect(unpressed.map(({ path }) => path).sort()).toEqual([
      // Asks for the password, or for a key, in a dialog that then goes on by itself (sign-in.spec).
      'account.confirm',
      // By the link of a mail, which works once (sign-in.spec).
      'account.undoLogin',
      // By other systems: a screen opens an appeal as a claim, with the lines that it shows.
      'claims.appeal',
      // Turns are gathered: two presses turn a photo twice, by one call (evidence-view.spec).
      'conversion.turn',
      // By an address that the directory sends back.
      'directory.redeem',
      // By the camera itself, before a photo is taken.
      'evidence.issueNonces',
      // A file that is chosen is read, and changes nothing by itself.
      'orderImports.invoice',
      // By the browser, as it prints.
      'orderList.recordPrint',
      'passkeys.ask',
      'passkeys.confirm',
      'passkeys.signIn',
      // Answers with the address of a file, which the browser then downloads.
      'privacy.address',
      // Finds only, but by a call that no log of addresses has.
      'privacy.find',
      // A photo that is chosen is read, and changes nothing by itself.
      'vehiclePhotos.send',
    ])
  })
})

test('every kind of event of an order has its label in the history (CONTRIBUTING 5.2)', () => {
  const sources = ['server/src/features', 'worker/src'].map((folder) => readAll(folder)).join('\n')
  const recorded = [...sources.matchAll(/subject: 'order',[^}]{0,120}?\bkind: '([a-z.]+)'/g)].map(
    ([, kind]) => kind ?? '',
  )
  expect(new Set(recorded).size).toBeGreaterThan(10)
  const labels =
    (/EVENT_LABEL[^{]*\{([^}]*)\}/.exec(read('client/src/features/orders/order/order-labels.ts'))?.[1] ??
      '') + read('shared/src/claims/events.ts')
  expect(recorded.filter((kind) => !new RegExp(`^\\s*'?${kind}'?:`, 'm').test(labels))).toEqual([])
})

describe('a new operator command (CONTRIBUTING 5.5)', () => {
  const commands = [...readAll('worker/src/cli').matchAll(/\.command\('([a-z-]+)/g)].map(
    ([, name]) => name ?? '',
  )

  test('is listed for operators', () => {
    const listed = new Set(
      // A command of a group stands behind it.
      (read('docs/operating.md').match(/(?<=-- )[a-z-]+(?: [a-z-]+)?/g) ?? []).flatMap((words) =>
        words.split(' '),
      ),
    )
    expect(commands.length).toBeGreaterThan(8)
    expect(commands.filter((name) => !listed.has(name))).toEqual([])
  })

  test('is run by a test', () => {
    const isTest = (name: string) => name.endsWith('.test.ts')
    const tests = ['tests/jobs', 'tests/runtime'].map((folder) => readAll(folder, isTest)).join('\n')
    expect(commands.filter((name) => !new RegExp(`'${name}'`).test(tests))).toEqual([])
  })
})

describe('a new screen (CONTRIBUTING 5.4)', () => {
  const paths = [...read('client/src/routes.tsx').matchAll(/path: '(\/[^']*)'/g)].map(
    ([, path]) => path ?? '',
  )

  test('is opened by the visual audit', () => {
    const audited = new Set(Object.keys(STATES).map((screen) => screen.split('?')[0]))
    expect(paths.length).toBeGreaterThan(12)
    // The root only leads to another.
    expect(paths.filter((path) => path !== '/' && !audited.has(path))).toEqual([])
  })
})
