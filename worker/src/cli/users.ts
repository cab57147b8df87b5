import { randomBytes } from 'node:crypto'
import { changeUser, createUser, endAccess, userByLogin } from '@garantia/server/features/people/users'
import type { Ctx } from '@garantia/server/kernel'
import { dateTime } from '@garantia/shared/format'
import { ROLES } from '@garantia/shared/users/role'
import { userInput } from '@garantia/shared/users/schema'
import { type Command, Option } from 'commander'
import { EXIT, jsonOption, positive, runCommand } from './run-command.ts'

interface Options {
  json?: boolean
}
interface NewPerson extends Options {
  email: string
  nome: string
  papel: string
  empresa?: number
  gestor?: number
  superusuario?: boolean
}

/** Shown once; the person changes it after signing in. */
const newPassword = () => randomBytes(15).toString('base64url')
const SHOWN_ONCE = 'Guarde-a agora: ela não será mostrada de novo.'

/** Commands for people's accounts, for the day on which no superuser can sign in. */
export function userCommands(program: Command) {
  const users = program.command('usuarios').description('contas de pessoas: lista, cria, redefine, encerra')

  users
    .command('listar')
    .description('lista as contas: papel, superusuário, ativa ou não, último acesso')
    .addOption(jsonOption)
    .action((options: Options) =>
      runCommand(options, async ({ db }) => {
        const rows = await db
          .selectFrom('users')
          .leftJoin('companies', 'companies.id', 'users.company_id')
          .select([
            'users.id',
            'users.email',
            'users.full_name',
            'users.role',
            'users.is_superuser',
            'users.is_active',
            'users.last_login_at',
            'companies.trading_name as company',
          ])
          .orderBy('users.id')
          .execute()
        return {
          data: rows,
          lines: rows.map(
            (row) =>
              `${String(row.id).padStart(6)}  ${row.email}  ${row.role}${row.is_superuser ? ' (superusuário)' : ''}  ${row.is_active ? 'ativa' : 'inativa'}  ${row.company ?? 'sem empresa'}  último acesso ${row.last_login_at ? dateTime(row.last_login_at) : 'nunca'}`,
          ),
        }
      }),
    )

  users
    .command('criar')
    .description('cria uma conta e mostra a senha gerada')
    .requiredOption('--email <email>', 'login')
    .requiredOption('--nome <nome>', 'nome completo')
    .addOption(new Option('--papel <papel>', 'papel').choices(ROLES).makeOptionMandatory())
    .addOption(new Option('--empresa <id>', 'id da empresa').argParser(positive).makeOptionMandatory())
    .addOption(new Option('--gestor <id>', 'id do gestor, de um técnico').argParser(positive))
    .option('--superusuario', 'administra a instalação inteira')
    .addOption(jsonOption)
    .action((options: NewPerson) =>
      runCommand(options, async (ctx) => {
        const password = newPassword()
        const given = userInput.safeParse({
          email: options.email,
          full_name: options.nome,
          role: options.papel,
          company_id: options.empresa,
          manager_id: options.gestor,
          is_superuser: options.superusuario === true,
          password,
          confirm_password: password,
        })
        if (!given.success) {
          const lines = given.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
          return { data: { error: lines }, lines, exit: EXIT.usage }
        }
        const { id, email } = await createUser(ctx, given.data)
        return {
          data: { id, email, password },
          lines: [`Conta ${id} criada: ${email}`, `Senha: ${password}`, SHOWN_ONCE],
        }
      }),
    )

  const onPerson = (
    name: string,
    description: string,
    work: (
      ctx: Ctx,
      person: { id: number; email: string },
      options: Options & { retirar?: boolean },
    ) => Promise<{
      data: object
      lines: string[]
    }>,
  ) =>
    users
      .command(name)
      .description(description)
      .argument('<email>', 'login da conta')
      .addOption(jsonOption)
      .action((login: string, options: Options & { retirar?: boolean }) =>
        runCommand(options, async (ctx) => {
          const person = await userByLogin(ctx, login)
          if (!person)
            return {
              data: { error: 'not_found' },
              lines: [`Nenhuma conta com o login ${login}.`],
              exit: EXIT.nothing,
            }
          return work(ctx, person, options)
        }),
      )

  onPerson(
    'redefinir-senha',
    'gera outra senha, mostra-a e encerra sessões e tokens',
    async (ctx, { id, email }) => {
      const password = newPassword()
      await changeUser(ctx, id, { password, confirm_password: password })
      return {
        data: { id, email, password },
        lines: [`Senha nova de ${email}: ${password}`, SHOWN_ONCE, 'Sessões e tokens dela foram encerrados.'],
      }
    },
  )
  onPerson('desativar', 'fecha a conta e encerra sessões e tokens', async (ctx, { id, email }) => {
    await changeUser(ctx, id, { is_active: false })
    return { data: { id, email, is_active: false }, lines: [`Conta desativada: ${email}`] }
  })
  onPerson(
    'encerrar-sessoes',
    'encerra sessões, tokens, calendário, links para fotos e de senha; a senha fica',
    async (ctx, { id, email }) => {
      const { sessions } = await endAccess(ctx, id)
      return { data: { id, email, sessions }, lines: [`Sessões encerradas de ${email}: ${sessions}`] }
    },
  )
  onPerson(
    'superusuario',
    'dá a uma conta a administração da instalação inteira',
    async (ctx, { id, email }, { retirar }) => {
      await changeUser(ctx, id, { is_superuser: !retirar })
      return {
        data: { id, email, is_superuser: !retirar },
        lines: [`${email} ${retirar ? 'já não é' : 'é'} superusuário.`],
      }
    },
  ).option('--retirar', 'tira-a')
}
