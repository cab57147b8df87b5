import { AnchorButton, Button, Callout } from '@blueprintjs/core'
import type { SignInWays } from '@garantia/shared/auth/second-factor'
import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { hasDrafts } from '../../../lib/drafts.ts'
import { messageOf } from '../../../lib/messages.ts'
import { canUsePasskeys } from '../../../lib/passkeys.ts'
import { hasExpired, isSignedIn, safePath, signIn } from '../../../lib/session.ts'
import { trpc } from '../../../lib/trpc.ts'
import { AuthCard } from './auth-card.tsx'
import { directoryProblem } from './auth-problems.ts'
import { LoginForm } from './login-form.tsx'
import { usePasskey } from './use-passkey.ts'

const route = getRouteApi('/open/login')

/** Sign-in by password, passkey or the organisation's directory, whichever this installation has. */
export function LoginPage() {
  const { redirect } = route.useSearch()
  const ways = route.useLoaderData()
  const router = useRouter()
  const enter = (access_token: string, path = redirect) => {
    signIn(access_token)
    router.history.replace(safePath(path))
  }
  const returned = useDirectoryReturn(enter)
  const [isExpired] = useState(hasExpired)
  const [wantsPassword, setWantsPassword] = useState(ways.local === 'all')
  return (
    <AuthCard
      title="Entrar"
      links={
        ways.local === 'all' ? (
          <>
            <Link to="/recover-password">Esqueceu a senha?</Link>
            <Link to="/signup">Criar conta</Link>
          </>
        ) : (
          !wantsPassword && (
            <Button
              variant="minimal"
              size="small"
              text="Entrar com senha (superusuário)"
              onClick={() => setWantsPassword(true)}
            />
          )
        )
      }
    >
      {isExpired && !returned.problem && (
        <Callout compact icon={null} role="status">
          Sua sessão terminou.{' '}
          {hasDrafts() ? 'O que você digitou está guardado: entre de novo para continuar.' : 'Entre de novo.'}
        </Callout>
      )}
      {returned.problem && (
        <Callout compact intent="danger" role="alert">
          {returned.problem}
        </Callout>
      )}
      {wantsPassword && <LoginForm onSignedIn={enter} />}
      <OtherWays ways={ways} redirect={redirect} isFirst={!wantsPassword} onSignedIn={enter} />
    </AuthCard>
  )
}

interface OtherWaysProps {
  ways: SignInWays
  redirect: string | undefined
  isFirst: boolean
  onSignedIn: (access_token: string) => void
}
function OtherWays({ ways, redirect, isFirst, onSignedIn }: OtherWaysProps) {
  const login = trpc.passkeys.signIn.useMutation({
    onSuccess: ({ access_token }) => onSignedIn(access_token),
  })
  const passkey = usePasskey((response) => login.mutateAsync({ response }))
  const problem = passkey.problem ?? (login.error && messageOf(login.error))
  const hasPasskeys = canUsePasskeys()
  if (!hasPasskeys && !ways.directory) return null
  return (
    <div className="auth-ways">
      {problem && (
        <Callout compact intent="danger" role="alert">
          {problem}
        </Callout>
      )}
      {ways.directory && (
        <AnchorButton
          fill
          size="large"
          intent={isFirst ? 'primary' : 'none'}
          variant={isFirst ? 'solid' : 'outlined'}
          text={`Entrar com ${ways.directory}`}
          href={`/directory/start?redirect=${encodeURIComponent(safePath(redirect))}`}
        />
      )}
      {hasPasskeys && (
        <Button
          fill
          size="large"
          variant="outlined"
          text="Entrar com chave de acesso"
          loading={passkey.isBusy}
          onClick={passkey.give}
        />
      )}
    </div>
  )
}

/** Ends what began at the directory: its code or its reason is in the fragment of the address. */
function useDirectoryReturn(enter: (access_token: string, path?: string) => void) {
  const [given] = useState(() => new URLSearchParams(location.hash.slice(1)))
  const redeem = trpc.directory.redeem.useMutation({
    onSuccess: ({ access_token, redirect }) => enter(access_token, redirect ?? undefined),
  })
  const isRead = useRef(false)
  const router = useRouter()
  useEffect(() => {
    const token = given.get('code')
    if (isRead.current || given.size === 0) return
    isRead.current = true
    // Without it, who is signed in would be led away.
    if (!isSignedIn()) router.history.replace(location.pathname + location.search)
    if (token) redeem.mutate({ token })
  })
  const reason = given.get('problem')
  return { problem: redeem.error ? messageOf(redeem.error) : reason && directoryProblem(reason) }
}
