import { defineConfig } from '@playwright/test'

/**
 * Each spec starts the real product itself (support/product.ts), on a folder and ports of its own: two run side
 * by side, the tests of one file after each other.
 */
export default defineConfig({
  testDir: 'e2e',
  globalSetup: './support/global-setup.ts',
  outputDir: '.artifacts/e2e',
  // With a third one the same tests took a seventh more processor time on two processors, and longer by the clock.
  workers: 2,
  // A second chance on a busy build machine; a test that needed it is reported as flaky.
  retries: process.env.CI ? 1 : 0,
  timeout: 300_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json', { outputFile: '.artifacts/e2e.json' }]],
  use: {
    browserName: 'chromium',
    actionTimeout: 20_000,
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
    screenshot: 'only-on-failure',
    // What they keep is the matter of the specs that allow them; to others they would stand before the server.
    serviceWorkers: 'block',
    // Recording every test, to keep what failed, took a quarter of the time of all.
    trace: 'on-first-retry',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH,
      args: [
        // A page of a test lives for seconds: optimising its code, and collecting its garbage in threads, takes
        // longer than it saves (a sixth of the processor time of the audits).
        '--js-flags=--no-turbofan --no-maglev --single-threaded-gc',
        // Nothing is drawn by a GPU, and its process takes a tenth of the processor time of opening a page.
        '--in-process-gpu',
      ],
    },
  },
})
