import { Button } from '@blueprintjs/core'
import { CrossIcon, TickCircleIcon } from '@blueprintjs/icons'
import { FIRST_STEPS, type FirstStep, nextStep } from '@garantia/shared/first-steps/schema'
import { type Actor, can, hasNoCompany } from '@garantia/shared/policy'
import type { MeView } from '@garantia/shared/users/schema'
import { useMatches } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { useActor } from '../../../lib/actor.ts'
import { trpc } from '../../../lib/trpc.ts'
import { LinkButton } from '../../../ui/page/link-button.tsx'
import './first-steps.css'

interface Step {
  title: string
  /** Why the step is needed. */
  why: string
  to: '/brands' | '/companies' | '/admin' | '/nova-os'
  actionLabel: string
  mayDo: (actor: Actor) => boolean
}
const STEPS: Record<FirstStep, Step> = {
  brands: {
    title: 'Inicialize as marcas',
    why: 'Cada marca traz os limites do pacote e as fotos que exige.',
    to: '/brands',
    actionLabel: 'Abrir Marcas',
    mayDo: (actor) => can(actor, 'brand.initialize'),
  },
  company: {
    title: 'Cadastre a sua empresa',
    why: 'A matriz primeiro; as filiais ficam ligadas a ela.',
    to: '/companies',
    actionLabel: 'Abrir Empresas',
    mayDo: (actor) => can(actor, 'company.open'),
  },
  technician: {
    title: 'Cadastre um técnico',
    why: 'Quem fotografa e envia as evidências.',
    to: '/admin',
    actionLabel: 'Abrir Usuários',
    mayDo: (actor) => actor.kind === 'user' && (actor.is_superuser || actor.role === 'admin'),
  },
  order: {
    title: 'Abra a primeira OS',
    why: 'Número, marca e empresa bastam para começar.',
    to: '/nova-os',
    actionLabel: 'Nova OS',
    mayDo: (actor) => can(actor, 'order.list') && !hasNoCompany(actor),
  },
}
const AGAIN_MS = 5_000
const dismissedBy = (id: number) => `primeiros_passos_${id}`

/** Guides a new installation to its first order; hidden once there is one, or when dismissed. */
export function FirstSteps({ me }: { me: MeView }) {
  const titleId = useId()
  const actor = useActor()
  // Of the screen that is shown: the address is already the next one while that is loaded.
  const here = useMatches({ select: (matches) => matches.at(-1)?.pathname })
  const [isDismissed, setIsDismissed] = useState(() => localStorage.getItem(dismissedBy(me.id)) === 'true')
  const { data: steps } = trpc.firstSteps.read.useQuery(undefined, {
    enabled: !isDismissed,
    refetchInterval: ({ state }) => (state.data && nextStep(state.data) === null ? false : AGAIN_MS),
  })
  const next = steps && nextStep(steps)
  if (isDismissed || !next) return null

  const dismiss = () => {
    localStorage.setItem(dismissedBy(me.id), 'true')
    setIsDismissed(true)
  }
  const mayGoOn = STEPS[next].mayDo(actor)
  return (
    <section className="first-steps panel" aria-labelledby={titleId}>
      <div className="first-steps-head">
        <h2 id={titleId}>Primeiros passos</h2>
        <p className="muted" role="status">
          {mayGoOn
            ? `${FIRST_STEPS.filter((step) => steps[step]).length} de ${FIRST_STEPS.length} feitos`
            : `Falta um passo que não é seu: ${STEPS[next].title.toLowerCase()}. Peça a um administrador.`}
        </p>
        <Button
          variant="minimal"
          size="small"
          icon={<CrossIcon />}
          aria-label="Dispensar os primeiros passos"
          title="Dispensar"
          onClick={dismiss}
        />
      </div>
      <ol className="first-steps-list">
        {FIRST_STEPS.map((step, index) => {
          const { title, why, to, actionLabel, mayDo } = STEPS[step]
          const isNext = step === next
          return (
            <li
              key={step}
              className={`first-step${steps[step] ? ' is-done' : ''}${isNext ? ' is-next' : ''}`}
              aria-current={isNext ? 'step' : undefined}
            >
              <span className="first-step-mark numeric" aria-hidden="true">
                {steps[step] ? <TickCircleIcon size={20} /> : index + 1}
              </span>
              <span className="first-step-text">
                <strong>{title}</strong>
                {steps[step] && <span className="visually-hidden">feito</span>}
                <span className="muted">{why}</span>
              </span>
              {isNext &&
                (mayDo(actor) ? (
                  here !== to && <LinkButton to={to} text={actionLabel} />
                ) : (
                  <span className="muted">Um administrador faz isto.</span>
                ))}
            </li>
          )
        })}
      </ol>
    </section>
  )
}
