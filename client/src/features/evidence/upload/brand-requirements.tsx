import { InfoSignIcon } from '@blueprintjs/icons'
import type { EvidenceRules } from '@garantia/shared/brands/schema'
import { EVIDENCE_CATEGORY } from '@garantia/shared/evidence/category'
import { counted } from '@garantia/shared/format'

const list = (formats: readonly string[]) => formats.map((format) => format.toUpperCase()).join(', ') || '—'
const megabytes = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 2 })

/**
 * The brand's requirements (UPL-5, D-19): the size limit applies to the whole package, not to a single file.
 */
export const BrandRequirements = ({ brand, rules }: { brand: string; rules: EvidenceRules | undefined }) => (
  <section className="requirements" aria-label={`Exigências da marca ${brand}`}>
    <InfoSignIcon aria-hidden="true" />
    <div>
      <p>
        <strong>Pacote final até {rules ? megabytes.format(rules.max_file_size_mb) : '…'} MB.</strong> Seus
        originais podem ser maiores: serão convertidos.
      </p>
      <dl>
        <Row
          term="Vídeos"
          text={rules && `${list(rules.accepted_video_formats)} · até ${rules.max_video_count}`}
        />
        <Row term="Imagens" text={rules && list(rules.accepted_image_formats)} />
        <Row
          term="Ao todo"
          text={rules && `até ${counted(rules.max_evidence_count, 'arquivo', 'arquivos')}`}
        />
        {rules && rules.required_categories.length > 0 && <Row term="Exigidas" text={wanted(rules)} />}
      </dl>
    </div>
  </section>
)

const Row = ({ term, text }: { term: string; text: string | undefined }) => (
  <div>
    <dt>{term}</dt>
    <dd>{text ?? '…'}</dd>
  </div>
)

const wanted = ({ required_categories }: EvidenceRules) =>
  required_categories
    .map(({ category, min }) => EVIDENCE_CATEGORY[category] + (min > 1 ? ` (${min})` : ''))
    .join(', ')
