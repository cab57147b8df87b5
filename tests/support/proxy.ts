import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findProgram } from './debian-program.ts'
import { freePort } from './product.ts'
import { temporaryFolder } from './temporary-folder.ts'

const PAGE = fileURLToPath(new URL('../../docs/operating.md', import.meta.url))

/** The first code block of this language under «Behind a proxy» in docs/operating.md. */
function documented(language: string) {
  const section = /\n## Behind a proxy\n(.*?)\n## /s.exec(readFileSync(PAGE, 'utf8'))?.[1] ?? ''
  const [, text] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(section) ?? []
  if (!text?.includes('127.0.0.1:8000')) throw new Error(`docs/operating.md has no ${language} block`)
  return text
}

export type RunningProxy = Awaited<ReturnType<typeof startNginx>>

/** nginx with the documented block, in front of the server at `target` (http://host:port). */
export async function startNginx(target: string) {
  const [dir, port] = [temporaryFolder('nginx'), await freePort()]
  const block = documented('nginx')
    .replace('127.0.0.1:8000', new URL(target).host)
    .replace('/var/log/nginx', dir)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const config = join(dir, 'nginx.conf')
  writeFileSync(
    config,
    `daemon off;
    pid ${dir}/pid;
    events {}
    http {
      access_log ${dir}/access.log;
      error_log ${dir}/error.log;
      ${temporary.map((name) => `${name}_temp_path ${dir}/${name};`).join('\n')}
      server { listen 127.0.0.1:${port}; ${block} }
    }`,
  )
  return run('nginx', ['-e', 'stderr', '-p', dir, '-c', config], dir, port)
}

/** Caddy with the documented block, under an address without TLS. */
export async function startCaddy(target: string) {
  const [dir, port] = [temporaryFolder('caddy'), await freePort()]
  const site = documented('caddyfile')
    .replace('127.0.0.1:8000', new URL(target).host)
    .replace(/^\{/, '{\nadmin off')
    .replace(/^\S+ \{/m, `http://127.0.0.1:${port} {\nbind 127.0.0.1`)
  const config = join(dir, 'Caddyfile')
  writeFileSync(config, site)
  return run('caddy', ['run', '--adapter', 'caddyfile', '--config', config], dir, port)
}

async function run(name: string, args: string[], dir: string, port: number) {
  const { path, env } = await findProgram(name, name === 'nginx' ? ['nginx', 'nginx-light'] : [name])
  const home = join(dir, 'home')
  mkdirSync(home)
  const own = { HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home }
  const child = spawn(path, args, { env: { ...env, ...own }, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      said += text
    })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  while (!(await accepts(port)))
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}:\n${said}`)
  return {
    url: `http://127.0.0.1:${port}`,
    /** All it has logged so far. */
    log() {
      const files = readdirSync(dir).filter((file) => file.endsWith('.log'))
      return [said, ...files.map((file) => readFileSync(join(dir, file), 'utf8'))].join('\n')
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = connect(port, '127.0.0.1')
    probe.once('connect', () => {
      probe.destroy()
      resolve(true)
    })
    probe.once('error', () => setTimeout(resolve, 20, false))
  })
