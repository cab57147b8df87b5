import { Button, DialogBody } from '@blueprintjs/core'
import { LinkIcon } from '@blueprintjs/icons'
import { categoryProgress, isFilled } from '@garantia/shared/evidence/category-progress'
import { GUEST_LINK_STATE, type GuestLinkView, guestLinkState } from '@garantia/shared/evidence/guest-link'
import { bytes, counted, dateTime } from '@garantia/shared/format'
import type { OrderView } from '@garantia/shared/orders/schema'
import { useRef, useState } from 'react'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Badge } from '../../../ui/feedback/badge.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Delayed, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { Modal } from '../../../ui/overlay/modal.tsx'
import { GuestLinkForm } from './guest-link-form.tsx'
import './guest-links.css'

interface Props {
  /** The dialog stays mounted while closed so that focus can return to the element that opened it. */
  isOpen: boolean
  order: OrderView
  onClose: () => void
}

/** Links by which a mechanic or a customer without an account sends photos of this order. */
export function GuestLinksDialog({ isOpen, order, onClose }: Props) {
  return (
    <Modal isOpen={isOpen} title={`Links para fotos da OS ${order.os_number}`} width="wide" onClose={onClose}>
      <GuestLinks order={order} />
    </Modal>
  )
}

function GuestLinks({ order }: { order: OrderView }) {
  const { data: links, error, refetch } = trpc.guestLinks.list.useQuery({ order_id: order.id })
  const { data: rules } = trpc.brands.evidenceRules.useQuery({ id: order.brand_id })
  const { data: present } = trpc.evidence.list.useQuery({ order_id: order.id })
  const [linkToRevoke, setLinkToRevoke] = useState<GuestLinkView | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const slots = rules && present && categoryProgress(rules.required_categories, present.evidence_files)
  return (
    <DialogBody className="guest-links">
      <p className="muted">
        Quem recebe o link envia fotos, vídeos e documentos desta OS pelo celular, sem conta, e vê só o que
        ele mesmo enviou.
      </p>
      {slots && (
        <GuestLinkForm
          order={order}
          missing={slots.filter((slot) => !isFilled(slot)).map(({ category }) => category)}
          required={slots.map(({ category }) => category)}
        />
      )}
      {error && !links ? (
        <ErrorState title="Erro ao carregar links" error={error} onRetry={() => void refetch()} />
      ) : links ? (
        links.length > 0 && (
          <ul ref={list} tabIndex={-1} className="guest-link-list panel" aria-label="Links criados">
            {links.map((link) => (
              <GuestLink key={link.id} link={link} onRevoke={() => setLinkToRevoke(link)} />
            ))}
          </ul>
        )
      ) : (
        <Delayed>
          <Skeleton width={40} />
        </Delayed>
      )}
      <RevokeDialog
        link={linkToRevoke}
        order_id={order.id}
        onClose={() => setLinkToRevoke(null)}
        onRevoked={() => list.current?.focus()}
      />
    </DialogBody>
  )
}

const COLOUR = { active: 'green', expired: 'gray', revoked: 'gray' } as const

function GuestLink({ link, onRevoke }: { link: GuestLinkView; onRevoke: () => void }) {
  const state = guestLinkState(link, new Date())
  return (
    <li className="guest-link">
      <LinkIcon size={18} aria-hidden="true" />
      <div className="guest-link-text">
        <strong>{link.label}</strong>
        <span className="muted numeric">
          {counted(link.files, 'arquivo', 'arquivos')} de {link.max_files} · {bytes(link.bytes)} de{' '}
          {bytes(link.max_bytes)} · {state === 'expired' ? 'Venceu' : 'Vence'} em {dateTime(link.expires_at)}{' '}
          · Criado por {link.created_by_name}
          {link.last_used_at && ` · Aberto em ${dateTime(link.last_used_at)}`}
        </span>
      </div>
      <Badge colour={COLOUR[state]}>{GUEST_LINK_STATE[state]}</Badge>
      {state === 'active' && (
        <Button text="Revogar" aria-label={`Revogar: ${link.label}`} onClick={onRevoke} />
      )}
    </li>
  )
}

interface RevocationProps {
  /** Null keeps the dialog closed. */
  link: GuestLinkView | null
  order_id: number
  onClose: () => void
  onRevoked: () => void
}
function RevokeDialog({ link, order_id, onClose, onRevoked }: RevocationProps) {
  const utils = trpc.useUtils()
  const refresh = () => utils.guestLinks.list.invalidate({ order_id })
  const revoke = trpc.guestLinks.revoke.useMutation({
    onSuccess: async () => {
      toast.success({ title: 'Link revogado', description: link?.label })
      onClose()
      await refresh()
      onRevoked()
    },
    onError: (error) => {
      onClose()
      toast.error({ title: 'Erro', description: messageOf(error) })
      void refresh()
    },
  })
  return (
    <ConfirmDialog
      isOpen={link !== null}
      title={`Revogar o link «${link?.label ?? ''}»?`}
      confirmText="Revogar"
      onConfirm={() => link && revoke.mutateAsync({ id: link.id })}
      onCancel={onClose}
    >
      Quem o tem não envia mais nada, na hora. O que já chegou fica na OS.
    </ConfirmDialog>
  )
}
