import type { LegalClockView } from '@garantia/shared/claims/visits'

type Fact = LegalClockView['facts'][number]
/** What the dialog of an order's visits is about. */
export type VisitSubject =
  | { kind: 'link' }
  | { kind: 'dates' }
  /** With a fact on record: its end. */
  | { kind: 'fact'; fact: Fact | null }

export const titleOfVisit = (subject: VisitSubject) =>
  ({
    link: 'Ligar a outra visita',
    dates: 'Datas da visita',
    fact: 'Espera de peça ou carro reserva',
  })[subject.kind]
