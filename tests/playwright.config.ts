import { defineConfig } from '@playwright/test'

/** Each spec starts the real product itself (support/product.ts); there is nothing to start here. */
export default defineConfig({
  testDir: 'e2e',
  outputDir: '.artifacts/e2e',
  workers: 1,
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
    trace: 'retain-on-failure',
    launchOptions: { executablePath: process.env.CHROMIUM_PATH },
  },
})
