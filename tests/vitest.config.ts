import { defineConfig } from 'vitest/config'

/** Neither database nor processes: many of them share one environment. */
const PURE = {
  include: ['../{shared,server,worker,client}/src/**/*.test.ts', '*.test.ts'],
  exclude: ['schema.test.ts'],
}

export default defineConfig({
  test: {
    globalSetup: ['support/global-setup.ts'],
    maxWorkers: 3,
    // As in the browser (playwright.config.ts): a second chance on a busy build machine, named at the end.
    retry: process.env.CI ? 1 : 0,
    testTimeout: 90_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
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
