import type { RequiredCategory } from '@garantia/shared/brands/schema'
import { CategorySelect } from '../files/category-select.tsx'
import { byKey, type UploadItem } from './upload-item.ts'
import { uploads } from './uploads.ts'

interface Props {
  item: UploadItem
  /** The category chosen for all files, which this one follows until it gets its own; blank for none. */
  category: string
  brand: string
  required: readonly RequiredCategory[]
}

/** The category of one file that is not sent yet. */
export const OwnCategory = ({ item, category, brand, required }: Props) => (
  <div className="upload-row-category">
    <CategorySelect
      control={{ 'aria-label': `Categoria de ${item.file.name}` }}
      value={item.own ? (item.own.category ?? '') : category}
      onChange={(chosen) => uploads.categorize(byKey(item.key), chosen || null)}
      brand={brand}
      required={required}
    />
  </div>
)
