import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv, type Plugin } from 'vite'

export default defineConfig(({ mode }) => {
  const api = loadEnv(mode, '.', 'API_').API_URL ?? 'http://127.0.0.1:8000'
  return {
    plugins: [
      react(),
      withoutNamedIcons(),
      withoutWarnings(),
      withoutLargeIcons(),
      withoutSubmenus(),
      withoutJsonSchema(),
      withoutOldFormats(),
      withoutEval(),
      withoutEnglish(),
      withoutSockets(),
      compressed(),
    ],
    css: { postcss: { plugins: [withoutUnusedParts] } },
    build: {
      manifest: true,
      outDir: 'dist',
      emptyOutDir: true,
      target: 'es2022',
      // Half a KB for browsers from before 2023, which only load a little later without it.
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 700,
      rolldownOptions: {
        output: {
          codeSplitting: {
            // The table and its library stay out of the chunks that every screen loads. Fewer and
            // longer-lived files: a screen requests at most 22. Icons and small parts are one file, even
            // those that only some screens show: in forty of their own they are longer. What only lists, menus
            // and orders show stays out of it, and so out of the forms. A group contains what its modules
            // import, so "format", which all use, is a file as well.
            groups: [
              { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 3 },
              { name: 'format', test: /shared[\\/]src[\\/]format\.ts/, priority: 3 },
              {
                name: 'data',
                test: /node_modules[\\/](@tanstack[\\/](?!(react-)?table)|@trpc[\\/]|zod[\\/])/,
                minShareCount: 5,
                priority: 2,
              },
              {
                name: 'masks',
                test: /node_modules[\\/]@maskito[\\/]/,
                minShareCount: 2,
                priority: 2,
              },
              {
                name: 'ui',
                test: /@blueprintjs(?!.*[\\/](tabs[\\/]|tag[\\/]tag|progress-bar|compareUtils|caret-up|document-open|eye-off|media|(double-)?chevron-(left|right)))|preload-helper|shared[\\/]src[\\/](?!claims|orders[\\/]import|evidence[\\/]formats|auth[\\/]schema)|client[\\/]src[\\/](lib|ui[\\/](?!table[\\/](data-table|row-|roving|pager|table-keys|debounced-text|two-lines|page-in-range)|page[\\/]page-tabs|form[\\/](mask|password|day-field|form-modal|toggles|use-form)|overlay[\\/](key-menu|menu-button)|keys[\\/]type-ahead))/,
                minShareCount: 6,
              },
              {
                name: 'frame',
                test: /@blueprintjs[\\/]icons(?!.*[\\/](pause|play|video|mobile-video|camera|media|search-text|import|share|bookmark|filter|filter-remove|caret-up|(double-)?chevron-(left|right)|cloud-upload|compass|cross-circle|eye-off|arrow-left|document(-open)?|history|key|print|repeat|shield|unlock|upload)\.js)|client[\\/]src[\\/](lib[\\/](single-keys|theme|clipboard)|ui[\\/](page[\\/](copy-button|breakable)|overlay[\\/](?!loaded-popover|key-menu|menu-button)|keys[\\/](?!type-ahead)|table[\\/]row-cursor))/,
                minShareCount: 2,
              },
              {
                name: 'list',
                test: /@blueprintjs[\\/]icons.*[\\/](bookmark|filter|filter-remove|caret-up|(double-)?chevron-(left|right))\.js$|client[\\/]src[\\/]ui[\\/]table[\\/](roving|debounced-text|two-lines|page-in-range|search-box)/,
                minShareCount: 2,
              },
              {
                name: 'menus',
                test: /client[\\/]src[\\/]ui[\\/](overlay[\\/](key-menu|menu-button)|keys[\\/]type-ahead|table[\\/](row-menu|choice-filter|filter-text))/,
                minShareCount: 2,
              },
              {
                name: 'claim',
                test: /shared[\\/]src[\\/]claims[\\/](steps|money|sums)\.ts/,
                minShareCount: 2,
              },
              {
                name: 'order',
                test: /client[\\/]src[\\/](lib[\\/]pending-upload|features[\\/]orders[\\/](list[\\/]order-(display|row-actions)|order[\\/]conversion-badge))|shared[\\/]src[\\/]orders[\\/](conversion-badge|problems|hold)/,
                minShareCount: 2,
              },
            ],
          },
        },
      },
    },
    server: {
      host: '127.0.0.1',
      proxy: Object.fromEntries(
        ['/api', '/trpc', '/media', '/docs', '/live'].map((path) => [path, { target: api }]),
      ),
    },
  }
})

/**
 * Blueprint components that no screen uses; its single style sheet contains all (a fifth of what a screen
 * needs).
 */
const UNUSED =
  /\.bp6-(breadcrumbs?|slider|tree|navbar|file-input|file-upload|numeric-input|tag|tag-input|compound-tag|panel-stack2|editable-text|non-ideal-state|entity-title|multistep-dialog|card-list|section|control-card|segmented-control)(?![a-z0-9])/
const withoutUnusedParts = {
  postcssPlugin: 'without-unused-parts',
  Rule(rule: { selectors: string[]; remove(): void }) {
    const used = rule.selectors.filter((selector) => selector.includes(':not(') || !UNUSED.test(selector))
    if (used.length === 0) rule.remove()
    else if (used.length < rule.selectors.length) rule.selectors = used
  },
}

/** Writes .br and .gz beside every text file, so that the server never compresses during a request. */
function compressed(): Plugin {
  let folder = ''
  const brotli = promisify(brotliCompress)
  const zip = promisify(gzip)
  return {
    name: 'compressed',
    apply: 'build',
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir)
    },
    async closeBundle() {
      const names = await readdir(folder, { recursive: true })
      const texts = names.filter((name) => /\.(js|css|html|svg)$/.test(name))
      await Promise.all(
        texts.map(async (name) => {
          const text = await readFile(join(folder, name))
          await writeFile(join(folder, `${name}.br`), await brotli(text))
          await writeFile(join(folder, `${name}.gz`), await zip(text, { level: 9 }))
        }),
      )
    },
  }
}

/**
 * Icons are imported as components. Blueprint's loader of icons by name would still add every name to every
 * screen (8 KB compressed) and two chunks of all paths (105 KB each), so the build leaves it out.
 */
function withoutNamedIcons(): Plugin {
  const id = '\0icons-by-name'
  return {
    name: 'without-named-icons',
    apply: 'build',
    enforce: 'pre',
    resolveId: (source, importer) =>
      source === './iconLoader' && importer?.includes('@blueprintjs/icons') ? id : null,
    load: (module) =>
      module === id
        ? `export class Icons {
             static getPaths() {}
             static load(name) { return Promise.reject(new Error('Icon asked for by name: ' + name)) }
           }`
        : null,
  }
}

/** What Blueprint warns developers of (a KB compressed on every screen); a production build never shows it. */
function withoutWarnings(): Plugin {
  return {
    name: 'without-warnings',
    apply: 'build',
    transform: (code, id) =>
      id.endsWith('@blueprintjs/core/lib/esm/common/errors.js')
        ? code.replace(/^(export const \w+) =[^;]*;$/gm, "$1 = '';")
        : null,
  }
}

/**
 * Each icon has two drawings, for 16 and for 20 px. Those that no screen shows at 20 px or more lose the second
 * (a tenth of a KB compressed each, some forty on a screen).
 */
function withoutLargeIcons(): Plugin {
  const large = new Set<string>()
  return {
    name: 'without-large-icons',
    apply: 'build',
    async buildStart() {
      const names = await readdir('src', { recursive: true })
      for (const name of names.filter((one) => one.endsWith('.tsx'))) {
        const source = await readFile(join('src', name), 'utf8')
        for (const [, icon, size] of source.matchAll(/<(\w+Icon)\s[^<>]*?size=\{([^}]*)\}/g)) {
          if (Number.isNaN(Number(size))) this.error(`${name}: the build must know the size of ${icon}`)
          if (icon && Number(size) >= 20) large.add(icon)
        }
      }
    },
    transform(code, id) {
      if (!/@blueprintjs[\\/]icons[\\/]lib[\\/]esm[\\/]generated[\\/]components[\\/]/.test(id)) return null
      const [, icon] = /export const (\w+Icon) = /.exec(code) ?? []
      if (!icon || large.has(icon)) return null
      const [drawing] = /(?<=const PATHS_20 = )\[[^\]]*\]/.exec(code) ?? []
      if (!drawing) this.error(`${icon} keeps its drawings elsewhere: see withoutLargeIcons`)
      return { code: code.replace(drawing, 'PATHS_16'), map: null }
    },
  }
}

/**
 * No menu has a submenu, for which every entry would load the positioning code of popovers (15 KB
 * compressed).
 */
function withoutSubmenus(): Plugin {
  const id = '\0no-submenus'
  return {
    name: 'without-submenus',
    apply: 'build',
    enforce: 'pre',
    resolveId: (source, importer) =>
      /popover-next[\\/]popoverNext(MigrationUtils)?$/.test(source) &&
      /menu[\\/]menuItem\.js$/.test(importer ?? '')
        ? id
        : null,
    load: (module) =>
      module === id
        ? `export const PopoverNext = () => { throw new Error('A menu entry with a submenu') }
           export const popoverPropsToNextProps = () => ({})`
        : null,
  }
}

/** Drops zod's JSON Schema writer, which no screen uses (5.5 KB compressed). */
function withoutJsonSchema(): Plugin {
  const id = '\0no-json-schema:'
  return {
    name: 'without-json-schema',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!/zod[\\/]v4[\\/]classic[\\/]schemas\.js$/.test(importer ?? '')) return null
      if (!/(json-schema-processors|to-json-schema)\.js$/.test(source)) return null
      const real = await this.resolve(source, importer, { skipSelf: true })
      return real && id + real.id
    },
    async load(module) {
      if (!module.startsWith(id)) return null
      const names = (await readFile(module.slice(id.length), 'utf8')).matchAll(
        /^export (?:const|function) (\w+)/gm,
      )
      return ['const none = () => () => ({})', ...[...names].map(([, n]) => `export const ${n} = none`)].join(
        '\n',
      )
    },
  }
}

/**
 * zod's older way to write a format, `z.string().email()`, keeps all its formats in what every screen loads, used or
 * not; ours are written `z.email()`. The build fails where one is written the older way.
 */
function withoutOldFormats(): Plugin {
  const METHODS = /(\$constructor\("ZodString", [\s\S]*?\n\}), \{\n {4}email\(params\)[\s\S]*?\n\}\);/
  const OLDER =
    /\bstring\([^()]*\)[\s.\w()'",-]{0,200}\.(email|url|jwt|emoji|guid|uuid(v\d)?|nanoid|cuid2?|ulid|base64(url)?|xid|ksuid|ipv[46]|cidrv[46]|e164|datetime|date|time|duration)\(/
  return {
    name: 'without-old-formats',
    apply: 'build',
    transform(code, id) {
      if (/zod[\\/]v4[\\/]classic[\\/]schemas\.js$/.test(id)) {
        if (!METHODS.test(code)) this.error('zod has its formats elsewhere: see withoutOldFormats')
        return { code: code.replace(METHODS, '$1);'), map: null }
      }
      if (!id.includes('node_modules') && OLDER.test(code))
        this.error(`${id}: write z.email(), not z.string().email()`)
      return null
    },
  }
}

/**
 * zod compiles its schemas where it may, and finds out by compiling an empty text as they are made. The content
 * security policy forbids it, and each attempt would be reported as a violation.
 */
function withoutEval(): Plugin {
  return {
    name: 'without-eval',
    apply: 'build',
    transform(code, id) {
      if (!/zod[\\/]v4[\\/]core[\\/]core\.js$/.test(id)) return null
      const [initial, jitless] = ['__zod_globalConfig = {}', '__zod_globalConfig = { jitless: true }']
      if (!code.includes(initial)) this.error('zod keeps its settings elsewhere: see withoutEval')
      return { code: code.replace(initial, jitless), map: null }
    },
  }
}

/** zod's English messages (a KB compressed): what a person reads of a wrong field is ours, in Portuguese. */
function withoutEnglish(): Plugin {
  return {
    name: 'without-english',
    apply: 'build',
    transform: (_code, id) =>
      /zod[\\/]v4[\\/]locales[\\/]en\.js$/.test(id)
        ? { code: 'export default () => ({ localeError: () => undefined })', map: null }
        : null,
  }
}

/** tRPC's link over web sockets (a KB compressed), whose classes are kept though no screen uses them. */
function withoutSockets(): Plugin {
  return {
    name: 'without-sockets',
    apply: 'build',
    transform(code, id) {
      if (!/@trpc[\\/]client[\\/]dist[\\/]wsLink-[^\\/]*\.mjs$/.test(id)) return null
      const [, exported] = /export \{([^}]*)\}/.exec(code) ?? []
      if (!exported) this.error('tRPC exports its web sockets otherwise: see withoutSockets')
      const names = exported.split(',').map((one) => `none as ${one.split(' as ').at(-1)?.trim()}`)
      return { code: `const none = () => undefined\nexport { ${names.join(', ')} }`, map: null }
    },
  }
}
