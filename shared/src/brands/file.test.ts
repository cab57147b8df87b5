import { expect, test } from 'vitest'
import { type BrandInFile, brandFile, brandFileOf, placeInFile } from './file.ts'
import { type BrandView, codeOfBrand, NEW_BRAND_RULES } from './schema.ts'

const BRAND: BrandView = {
  ...NEW_BRAND_RULES,
  id: 7,
  slug: 'kia',
  display_name: 'Kia',
  is_active: false,
  is_sample: true,
  version: 3,
  naming_example: '123456_defeito_01.jpg',
  accepted_video_formats: ['mp4'],
  accepted_image_formats: ['jpg'],
  required_categories: [{ category: 'odometro', min: 2 }],
}
const problems = (file: unknown) =>
  brandFile
    .safeParse(file)
    .error?.issues.map(({ path, message }) => `${placeInFile(path, file)}: ${message}`) ?? []
const withBrands = (...changes: object[]) => {
  const [brand] = brandFileOf([BRAND]).brands
  return { ...brandFileOf([]), brands: changes.map((change) => ({ ...brand, ...change })) }
}

test('a file says all rules of a brand, and is read back as it was written (D-65)', () => {
  const file = brandFileOf([BRAND])
  expect(brandFile.parse(JSON.parse(JSON.stringify(file)))).toEqual(file)
  expect(file.brands[0]).toMatchObject({ code: 'kia', is_sample: true, required_categories: [{ min: 2 }] })
  for (const own of ['id', 'slug', 'version', 'is_active', 'naming_example'])
    expect(file.brands[0]).not.toHaveProperty(own)
})

test.each<[unknown, string]>([
  [[], 'arquivo: Não é um arquivo de regras de marcas («format» deve ser «garantia-marcas»)'],
  [{ ...withBrands({}), version: 2 }, 'version: Versão desconhecida: esta instalação lê a versão 1'],
  [withBrands(), 'brands: O arquivo não tem marcas'],
  [
    withBrands({}, { naming_template: '{vin}' }),
    'marca 2 (kia), naming_template: Variável desconhecida: {vin}',
  ],
  [
    withBrands({ required_categories: [{ category: 'placa', min: 0 }] }),
    'marca 1 (kia), required_categories.0.min: No mínimo 1',
  ],
  [
    withBrands({ code: 'Kia Motors' }),
    'marca 1 (Kia Motors), code: Use até 60 letras minúsculas sem acento, números e hífen',
  ],
  [withBrands({}, {}), 'marca 2 (kia), code: Código repetido no arquivo'],
  [withBrands({ cor: 'azul' }), 'marca 1 (kia): Campo desconhecido: cor'],
])('a file that is not valid is refused with the place: %#', (file, problem) =>
  expect(problems(file)).toContain(problem),
)

test('a field that is missing is named', () => {
  const { keep_gps: _, ...rest } = withBrands({}).brands[0] as BrandInFile
  expect(problems({ ...withBrands(), brands: [rest] })).toEqual([
    expect.stringMatching(/^marca 1 \(kia\), keep_gps: /),
  ])
})

test.each([
  ['Caoa Chery', 'caoa-chery'],
  ['Citroën', 'citroen'],
  ['GWM (Haval)', 'gwm-haval'],
  ['--', ''],
])('the code proposed for %s is «%s»', (name, code) => expect(codeOfBrand(name)).toBe(code))
