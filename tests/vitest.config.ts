import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Neither database nor processes: many of them share one environment. */
const PURE = {
  include: ['../{shared,server,worker,client}/src/**/*.test.ts', '*.test.ts'],
  exclude: ['schema.test.ts'],
}

/** Files that start processes or decode media take longest. */
const isLong = ({ moduleId }: TestSpecification) => /tests\/(jobs|media|runtime)\//.test(moduleId)

/** The long files of each project first, so that no worker is left alone with one; a fresh clone has no durations yet. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const byProject = Object.groupBy(await super.sort(files), ({ project }) => project.name)
    return Object.values(byProject).flatMap((its = []) => [
      ...its.filter(isLong),
      ...its.filter((file) => !isLong(file)),
    ])
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    globalSetup: ['support/global-setup.ts'],
    setupFiles: ['support/property-seed.ts'],
    tags: [
      { name: 'exhaustive', description: 'Further combinations, run by `npm test -- exhaustive` only.' },
    ],
    maxWorkers: 2,
    // Young objects of a test seldom outlive it: a larger room for them saves a twentieth of the processor time.
    execArgv: ['--max-semi-space-size=32'],
    // As in the browser (playwright.config.ts): a second chance on a busy build machine, named at the end.
    retry: process.env.CI ? 1 : 0,
    // Only an end to what hangs: at the lowest priority, beside other work, everything takes ten times as long.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    reporters: ['default', 'json'],
    outputFile: { json: '.artifacts/unit.json' },
    projects: [
      { extends: true, test: { name: 'pure', ...PURE, isolate: false } },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['{api,services,media,jobs}/**/*.test.ts', 'schema.test.ts'],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'processes', include: ['runtime/**/*.test.ts'] } },
      // Not part of `npm test`: it needs programs that not every machine can have.
      { extends: true, test: { name: 'operation', include: ['operation/**/*.test.ts'] } },
    ],
  },
})
