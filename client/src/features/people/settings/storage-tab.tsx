import { Button, ProgressBar } from '@blueprintjs/core'
import { RefreshIcon } from '@blueprintjs/icons'
import { bytes, counted } from '@garantia/shared/format'
import { isNearLimit, type Quota, type QuotaUsage } from '@garantia/shared/quota/schema'
import { trpc } from '../../../lib/trpc.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Delayed, Skeleton } from '../../../ui/feedback/skeleton.tsx'

/** What is used of the disk and of the limits, for administrators. */
export function StorageTab() {
  const { data, error, isFetching, isPending, refetch } = trpc.quota.usage.useQuery()
  if (error && !data)
    return (
      <ErrorState title="Erro ao carregar o armazenamento" error={error} onRetry={() => void refetch()} />
    )
  if (!data)
    return (
      <Delayed>
        <Skeleton width={40} />
      </Delayed>
    )
  return (
    <div className="settings" aria-busy={isFetching}>
      <div className="settings-actions">
        <Button
          icon={<RefreshIcon />}
          text="Atualizar"
          loading={isFetching && !isPending}
          onClick={() => void refetch()}
        />
      </div>
      <Disk disk={data.disk} />
      <Own own={data.own} />
      <Companies companies={data.companies} count={data.company_count} />
      <Brands />
    </div>
  )
}

const Disk = ({ disk: { free, reserve, announced, room } }: Pick<QuotaUsage, 'disk'>) => (
  <section className="settings-card panel" aria-labelledby="storage-disk">
    <h2 id="storage-disk">Disco</h2>
    <dl className="settings-facts numeric">
      <dt>Livre</dt>
      <dd>{bytes(free)}</dd>
      <dt>Reservado</dt>
      <dd>{bytes(reserve)} para banco de dados, cópias e dossiês</dd>
      <dt>A receber</dt>
      <dd>{bytes(announced)} de envios já começados</dd>
      <dt>Cabe ainda</dt>
      <dd>
        <strong>{bytes(room)}</strong>
      </dd>
    </dl>
  </section>
)

const Own = ({ own: { open, day, dossiers } }: Pick<QuotaUsage, 'own'>) => (
  <section className="settings-card panel" aria-labelledby="storage-own">
    <h2 id="storage-own">Seu uso</h2>
    <ul className="usage-list">
      <Usage label="Envios em aberto" quota={open} />
      <Usage label="Enviado em 24 horas" quota={day} />
      <Usage label="Dossiês pedidos nesta hora" quota={dossiers} format={String} />
    </ul>
    <p className="muted">Os limites valem para cada pessoa.</p>
  </section>
)

const Companies = ({ companies, count }: { companies: QuotaUsage['companies']; count: number }) => (
  <section className="settings-card panel" aria-labelledby="storage-companies">
    <h2 id="storage-companies">Concessionárias</h2>
    <p className="muted">
      Originais, cópias, dossiês e envios em aberto. O que está na lixeira conta até ser apagado, 30 dias
      depois.
      {count > companies.length &&
        ` Aqui estão as ${companies.length} que mais ocupam, de ${counted(count, 'empresa', 'empresas')}.`}
    </p>
    {companies.length === 0 ? (
      <p>Nenhuma guarda arquivos ainda.</p>
    ) : (
      <ul className="usage-list">
        {companies.map(({ id, trading_name, kept }) => (
          <Usage key={id} label={trading_name} quota={kept} />
        ))}
      </ul>
    )}
  </section>
)

/** Read by itself: it goes through all files, and the rest need not wait. */
function Brands() {
  const { data, error, refetch } = trpc.quota.brands.useQuery()
  return (
    <section className="settings-card panel" aria-labelledby="storage-brands" aria-busy={!data && !error}>
      <h2 id="storage-brands">Marcas</h2>
      <p className="muted">Originais e cópias, também da lixeira; dossiês não contam.</p>
      {error && !data && (
        <ErrorState title="Erro ao carregar as marcas" error={error} onRetry={() => void refetch()} />
      )}
      {!data && !error && (
        <Delayed>
          <Skeleton width={40} />
        </Delayed>
      )}
      {data?.length === 0 && <p>Nenhuma guarda arquivos ainda.</p>}
      {data && data.length > 0 && (
        <ul className="usage-list">
          {data.map(({ slug, display_name, orders, originals, copies }) => (
            <li key={slug} className="usage">
              <span className="clip" title={display_name}>
                {display_name} <span className="muted numeric">{counted(orders, 'OS', 'OS')}</span>
              </span>
              <span className="numeric nowrap">
                {bytes(originals + copies)}{' '}
                <span className="muted">
                  ({bytes(originals)} + {bytes(copies)})
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

interface UsageProps {
  label: string
  quota: Quota
  format?: (used: number) => string
}
function Usage({ label, quota, format = bytes }: UsageProps) {
  const { used, limit } = quota
  const text = limit === null ? format(used) : `${format(used)} de ${format(limit)}`
  return (
    <li className={isNearLimit(quota) ? 'usage is-near-limit' : 'usage'}>
      <span className="clip" title={label}>
        {label}
      </span>
      <span className="numeric nowrap">{text}</span>
      {limit !== null && (
        <ProgressBar
          value={Math.min(1, used / limit)}
          animate={false}
          stripes={false}
          aria-label={label}
          aria-valuetext={text}
        />
      )}
    </li>
  )
}
