/**
 * What is due within so many days is told before it is: in the daily mail and on the dashboard, whose first script has
 * none of the other rules.
 */
export const SOON_DAYS = 7
