export { calendarOf, newCalendar, readCalendar, revokeCalendar } from './calendar.ts'
export { countDeadlines, listDeadlines } from './list.ts'
export { deadlineLines } from './mail.ts'
export { addFact, changeVisit, linkVisits, readLegalClock, refuseVisit, unlinkVisit } from './visits.ts'
