/**
 * The goals of docs/goals.md as data: which figure they judge, and its bound. `on` says what of the figure: its
 * ratio to the reference or the value itself, at the largest number of orders that was measured.
 */
export interface Goal {
  ref: string
  figure: string
  on: 'ratio' | 'value'
  least?: number
  most?: number
}

const ratio = (ref: string, least: number, ...figures: string[]): Goal[] =>
  figures.map((figure) => ({ ref, figure, on: 'ratio', least }))
const value = (ref: string, most: number, ...figures: string[]): Goal[] =>
  figures.map((figure) => ({ ref, figure, on: 'value', most }))
const valueOver = (ref: string, least: number, figure: string): Goal => ({ ref, figure, on: 'value', least })
const growth = (ref: string, most: number, ...figures: string[]): Goal[] =>
  figures.map((figure) => ({ ref, figure: `${figure}: growth of CPU`, on: 'ratio', most }))

export const GOALS: Goal[] = [
  ...ratio(
    'P1',
    0.6,
    ...[
      'list, page 1, REST',
      'list, page 1, tRPC',
      'list, status and brand',
      'list, last page',
      'list, page 1000',
    ],
    ...['search, part of a plate', 'search, OS number', 'order, detail'],
  ),
  ...ratio('P2', 10, 'Directus: list, page 1', 'Directus: list, status and brand'),
  ...ratio('P2', 20, 'Directus: list, page 1000'),
  ...ratio('P2', 30, 'Directus: search, frequent name'),
  ...growth('P3', 1.3, 'list, page 1, REST', 'list, status and brand', 'list, last page'),
  ...growth('P3', 2, 'list, page 1000'),
  ...growth('P3', 2.5, 'search, part of a plate', 'search, OS number'),
  ...ratio(
    'P1',
    0.6,
    ...['claims, page 1, REST', 'claims, page 1, tRPC', 'claims, state and brand', 'claims, last page'],
    ...['claims, page 1000', 'claims, search, part of a plate', 'claims, search, OS number'],
  ),
  ...growth('P3', 1.3, 'claims, page 1, REST', 'claims, state and brand', 'claims, last page'),
  ...growth('P3', 2, 'claims, page 1000'),
  ...growth('P3', 2.5, 'claims, search, part of a plate', 'claims, search, OS number'),
  ...growth('P3', 10, 'claims, search, frequent name'),
  ...value('P3', 0, 'claims, statements over 250 ms'),
  ...value('P4', 5, 'claims, receivable: database CPU'),
  ...growth('P4', 4, 'claims, receivable', 'claims, deadlines'),
  ...growth('P3', 10, 'search, frequent name, REST', 'search, frequent name, screen'),
  ...value('P3', 50, 'search, frequent name, REST: alone', 'search, frequent name, screen: alone'),
  ...value('P3', 50, 'search, surname, manager: alone'),
  ...value('P3', 0, 'statements over 250 ms'),
  ...value('P4', 5, 'dashboard, 30 days: database CPU', 'dashboard, all time: database CPU'),
  ...growth('P4', 4, 'dashboard, 30 days', 'dashboard, all time'),
  ...ratio('P5', 0.5, 'writers, new orders', 'writers, changes of status'),
  ...value('P5', 0, 'writers, deadlocks'),
  ...ratio('P6', 0.7, 'upload, 1 large file', 'upload, 1 large file, tus', 'upload, many files, one request'),
  ...ratio('P6', 0.7, 'upload, small files, three at a time', 'upload, small files, three at a time, tus'),
  ...value('P6', 64, 'upload, memory rise', 'upload, 2 GB, memory rise'),
  ...ratio('P7', 0.5, 'photos into 10 MB'),
  ...ratio('P7', 0.85, 'photos into 100 MB'),
  valueOver('P7', 70, 'photos into 10 MB: budget used'),
  ...ratio('P7', 1 / 1.05, 'videos into 10 MB', 'videos into 100 MB'),
  ...value('P7', 100, 'photos into 10 MB: of the limit', 'videos into 10 MB: of the limit'),
  ...value('P7', 0, 'photos into 10 MB: not converted', 'videos into 10 MB: not converted'),
  ...ratio('P8', 1.5, 'ZIP'),
  ...value('P8', 100, 'ZIP, first byte'),
  ...value('P8', 64, 'ZIP, memory rise', 'ZIP, 5 GB, memory rise', 'ZIP, 10,000 files, memory rise'),
  ...value('P8', 128, 'ZIP, four at once, memory rise'),
  ...value('P9', 5, 'queue, p50'),
  ...value('P9', 20, 'queue, p99'),
  ...ratio('P9', 0.8, 'queue, jobs'),
  ...value('P10', 2, 'list while a video converts, p99 / idle'),
  ...ratio('P10', 0.7, 'list while a video converts'),
  ...value('P11', 1.2, 'list, page 1, REST: server CPU', 'list, status and brand: server CPU'),
  ...value('P11', 1, 'list, page 1, tRPC: server CPU'),
  ...value('P11', 0.3, 'users/me: server CPU'),
  ...value('P11', 150, 'idle memory, server', 'idle memory, worker'),
  ...value('P11', 40, 'idle memory, launcher'),
  ...value('P12', 10, '100 open tabs, share of a core'),
  ...value('P12', 2_000, '1,000 open tabs, p99'),
  ...value('P12', 0, '1,000 open tabs, errors'),
  ...value('P13', 20, '16 sign-ins at once, delay of others'),
  ...value('P14', 1_000, 'browser, list, first paint'),
  ...value('P14', 50, 'browser, key, median'),
  ...value('P15', 5_000, 'npm start, warm'),
  ...value('P18', 10_000, 'import, 5,000 orders'),
  ...value('P18', 5_000, 'remittance, 1,000 lines', 'remittance, undone'),
  ...value('P19', 1_000, 'reading, 12 MP photo: CPU', 'reading, 12 MP photo without category: CPU'),
  ...value('P19', 600, 'reading, memory'),
  ...ratio('P21', 0.5, 'backup, first'),
  ...value('P21', 25, 'backup, again, of the first'),
  ...value('P21', 2, 'list while a backup runs, p99 / idle'),
  ...value('', 250, 'validate, 5,000 files'),
  ...value('', 150, 'palette, p95'),
  ...value('', 60, 'trail, verify, a thousand events'),
  ...value('', 128, 'trail, memory of a verification'),
  ...value('', 0.3, 'trail, what an event adds to a plain row'),
  ...value('', 0, 'hostile media, without an answer', 'hostile media, crashed processes'),
  ...value('', 500, 'attack, clerk p99'),
  ...value('', 2_000, 'attack, sign-in'),
]
