/** Masks personal data, all but its last `shown` characters: 52998224725 → •••••••4725. */
export const maskAllBut = (shown: number, text: string) =>
  '•'.repeat(Math.max(0, text.length - shown)) + text.slice(-shown)
