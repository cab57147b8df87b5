import { Button, Callout } from '@blueprintjs/core'
import { InboxIcon, RefreshIcon } from '@blueprintjs/icons'
import { dateTime } from '@garantia/shared/format'
import { useState } from 'react'
import { trpc } from '../../../lib/trpc.ts'
import { Badge } from '../../../ui/feedback/badge.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { MailDialog } from './mail-dialog.tsx'
import { type Mail, mailState } from './mail-state.ts'

const SHOWN_WHILE_LOADING = 5

/** Mails written by the product, and whether they were sent (D-46). */
export function OutboxTab() {
  const mails = trpc.mail.list.useQuery(undefined, {
    select: ({ data, ...rest }) => ({ items: data, ...rest }),
  })
  const [opened, setOpened] = useState<Mail | null>(null)
  const hasServer = mails.data?.has_server ?? false
  const count = mails.data?.count ?? 0
  return (
    <>
      <div className="outbox-top">
        {mails.data && (
          <Callout compact>
            {hasServer
              ? 'As mensagens saem pelo servidor de email configurado. As últimas 100 ficam aqui.'
              : 'Nenhum servidor de email (SMTP) está configurado: as mensagens não saem do sistema. Elas ficam aqui para que você as leia e entregue a quem pediu.'}
          </Callout>
        )}
        <Button
          icon={<RefreshIcon />}
          text="Atualizar"
          loading={mails.isFetching && !mails.isPending}
          onClick={() => void mails.refetch()}
        />
      </div>
      <DataTable
        label="Caixa de saída"
        query={mails}
        columns={columnsFor(hasServer)}
        card={(mail) => <MailCard mail={mail} hasServer={hasServer} onOpen={() => setOpened(mail)} />}
        onOpen={setOpened}
        page={1}
        pageSize={count || SHOWN_WHILE_LOADING}
        total={count}
        onPage={() => {}}
        errorTitle="Erro ao carregar a caixa de saída"
        empty={
          <div className="panel">
            <EmptyState icon={<InboxIcon size={20} />} title="Nenhuma mensagem">
              As mensagens de recuperação de senha aparecem aqui.
            </EmptyState>
          </div>
        }
      />
      <MailDialog mail={opened} onClose={() => setOpened(null)} />
    </>
  )
}

function State({ mail, hasServer }: { mail: Mail; hasServer: boolean }) {
  const { colour, label, title } = mailState(mail, hasServer)
  return (
    <Badge colour={colour} title={title}>
      {label}
    </Badge>
  )
}

const columnsFor = (hasServer: boolean): Column<Mail>[] => [
  {
    id: 'recipient',
    header: 'Destinatário',
    cell: ({ row }) => (
      <span className="clip" title={row.original.recipient}>
        {row.original.recipient}
      </span>
    ),
  },
  {
    id: 'subject',
    header: 'Assunto',
    cell: ({ row }) => (
      <span className="clip" title={row.original.subject}>
        {row.original.subject}
      </span>
    ),
  },
  {
    id: 'created_at',
    header: 'Escrita em',
    meta: { width: 'w-badge' },
    cell: ({ row }) => <span className="numeric nowrap">{dateTime(row.original.created_at)}</span>,
  },
  {
    id: 'state',
    header: 'Situação',
    meta: { width: 'w-badge' },
    cell: ({ row }) => <State mail={row.original} hasServer={hasServer} />,
  },
]

interface CardProps {
  mail: Mail
  hasServer: boolean
  onOpen: () => void
}
const MailCard = ({ mail, hasServer, onOpen }: CardProps) => (
  <button type="button" className="mail-card panel" onClick={onOpen}>
    <span className="mail-card-line">
      <strong className="clip">{mail.recipient}</strong>
      <State mail={mail} hasServer={hasServer} />
    </span>
    <span>{mail.subject}</span>
    <span className="muted numeric">{dateTime(mail.created_at)}</span>
  </button>
)
