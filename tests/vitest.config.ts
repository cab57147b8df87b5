import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['**/*.test.ts', '../{shared,server,worker,client}/src/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'e2e/**', 'bench/**'],
    globalSetup: ['support/global-setup.ts'],
    maxWorkers: 2,
    // As in the browser (playwright.config.ts): a second chance on a busy build machine, named at the end.
    retry: process.env.CI ? 1 : 0,
    testTimeout: 90_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    reporters: ['default', 'json'],
    outputFile: { json: '.artifacts/unit.json' },
  },
})
