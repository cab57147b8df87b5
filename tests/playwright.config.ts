import { defineConfig } from '@playwright/test'
import { CHROMIUM_ARGS } from './support/chromium.ts'
import { isExhaustive } from './support/exhaustive.ts'

/** Two workers run side by side, each with one product for all its specs (e2e/product.ts). */
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
    // Each picture of a movement is drawn: a twelfth of the processor time of opening a page.
    contextOptions: { reducedMotion: isExhaustive ? 'no-preference' : 'reduce' },
    // What they keep is the matter of the specs that allow them; to others they would stand before the server.
    serviceWorkers: 'block',
    // Recording every test, to keep what failed, took a quarter of the time of all.
    trace: 'on-first-retry',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH,
      args: CHROMIUM_ARGS,
    },
  },
})
