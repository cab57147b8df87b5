import { expect, test } from 'vitest'
import { deviceOf, isHandheld } from './device.ts'

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0'

test.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`, 'Chrome no Windows'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/140.0.0.0`, 'Edge no Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0', 'Firefox no Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari no iPhone',
  ],
  [`Mozilla/5.0 (Linux; Android 14; K) ${CHROME} Mobile Safari/537.36`, 'Chrome no Android'],
  ['curl/8.5.0', 'curl'],
  ['', 'Aparelho desconhecido'],
  [null, 'Aparelho desconhecido'],
])('%s', (user_agent, name) => expect(deviceOf(user_agent)).toBe(name))

test('phones and tablets are recognised by their operating system', () => {
  expect(isHandheld('Mozilla/5.0 (Linux; Android 14; K)')).toBe(true)
  expect(isHandheld('Mozilla/5.0 (X11; Linux x86_64)')).toBe(false)
  expect(isHandheld(null)).toBe(false)
})
