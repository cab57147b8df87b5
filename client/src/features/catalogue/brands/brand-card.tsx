import { Button } from '@blueprintjs/core'
import { DisableIcon, DuplicateIcon, EditIcon, ExportIcon, MoreIcon, TickIcon } from '@blueprintjs/icons'
import { type BrandView, processingTimeLabel, retentionLabel } from '@garantia/shared/brands/schema'
import { EVIDENCE_CATEGORY } from '@garantia/shared/evidence/category'
import { integer } from '@garantia/shared/format'
import type { ReactNode } from 'react'
import { Badge } from '../../../ui/feedback/badge.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { MenuButton } from '../../../ui/overlay/menu-button.tsx'
import { breakable } from '../../../ui/page/breakable.tsx'

const UNSPECIFIED = 'Não especificado'
const megabytes = (size: number) => `${size.toLocaleString('pt-BR')} MB`

const Row = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="brand-row">
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

const Formats = ({ list }: { list: readonly string[] }) =>
  list.length === 0 ? (
    UNSPECIFIED
  ) : (
    <ul className="brand-formats">
      {list.map((format) => (
        <li key={format}>{format.toUpperCase()}</li>
      ))}
    </ul>
  )

export interface BrandActions {
  edit: (brand: BrandView) => void
  copy: (brand: BrandView) => void
  exportRules: (brand: BrandView) => void
  /** Switches the brand off or on. */
  toggle: (brand: BrandView) => void
}
interface Props {
  brand: BrandView
  /** Absent when the user may not edit brands. */
  actions?: BrandActions | undefined
}

export const BrandCard = ({ brand, actions }: Props) => (
  <li className="brand-card panel">
    <div className="brand-top">
      <h2>{brand.display_name}</h2>
      <Badge colour={brand.is_active ? 'green' : 'gray'}>{brand.is_active ? 'Ativa' : 'Inativa'}</Badge>
      {actions && (
        <div className="brand-edit">
          <Button
            variant="minimal"
            icon={<EditIcon />}
            aria-label={`Editar regras de ${brand.display_name}`}
            title="Editar regras"
            onClick={() => actions.edit(brand)}
          />
          <MenuButton
            label={`Mais ações de ${brand.display_name}`}
            items={[
              {
                text: 'Copiar para outra marca',
                icon: <DuplicateIcon />,
                onClick: () => actions.copy(brand),
              },
              { text: 'Exportar regras', icon: <ExportIcon />, onClick: () => actions.exportRules(brand) },
              brand.is_active
                ? { text: 'Desativar', icon: <DisableIcon />, onClick: () => actions.toggle(brand) }
                : { text: 'Ativar', icon: <TickIcon />, onClick: () => actions.toggle(brand) },
            ]}
          >
            <Button
              variant="minimal"
              icon={<MoreIcon />}
              aria-label={`Mais ações de ${brand.display_name}`}
              title="Mais ações"
            />
          </MenuButton>
        </div>
      )}
    </div>
    <dl className="brand-limits">
      <div>
        <dt>Tamanho total</dt>
        <dd>{megabytes(brand.max_file_size_mb)}</dd>
      </div>
      <div>
        <dt>Vídeos</dt>
        <dd>até {integer(brand.max_video_count)}</dd>
      </div>
      <div>
        <dt>Evidências</dt>
        <dd>até {integer(brand.max_evidence_count)}</dd>
      </div>
      <div>
        <dt>PowerPoint</dt>
        <dd>{brand.max_powerpoint_size_mb === null ? '—' : megabytes(brand.max_powerpoint_size_mb)}</dd>
      </div>
    </dl>
    <dl className="brand-facts">
      <Row name="Formatos de vídeo">
        <Formats list={brand.accepted_video_formats} />
      </Row>
      <Row name="Formatos de imagem">
        <Formats list={brand.accepted_image_formats} />
      </Row>
      <Row name="Exemplo de nome">
        <code>{breakable(brand.naming_example)}</code>
      </Row>
      <Row name="Tempo de processamento">{processingTimeLabel(brand.processing_time_seconds)}</Row>
      <Row name="Retenção">{retentionLabel(brand.storage_retention_months)}</Row>
      <Row name="Sistema de envio">
        {brand.submission_url ? (
          <a href={brand.submission_url} target="_blank" rel="noreferrer">
            {brand.submission_system || brand.submission_url}
          </a>
        ) : (
          brand.submission_system || UNSPECIFIED
        )}
      </Row>
      {brand.required_categories.length > 0 && (
        <Row name="Evidências exigidas">
          {brand.required_categories
            .map(({ category, min }) => EVIDENCE_CATEGORY[category] + (min > 1 ? ` (${min})` : ''))
            .join(', ')}
        </Row>
      )}
    </dl>
    {brand.is_sample && <p className="brand-sample">Valores de exemplo. Confira com a montadora.</p>}
  </li>
)

export const BrandCardSkeleton = () => (
  <div className="brand-card panel" aria-hidden="true">
    <Skeleton width={40} />
    {[90, 70, 80, 60, 75, 50].map((width) => (
      <Skeleton key={width} width={width} />
    ))}
  </div>
)
