import { CircleCheck } from 'lucide-react';
import { useEffect, useState, type FormEvent } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { GATE_CODE_MAX, validateCode } from '#shared/access-gate/contract.ts';
import { call } from '../http/api.ts';
import { CallError } from '../http/api-client.ts';
import { reportAccess } from '../referrals/referrer.ts';
import { DonationPanel } from '../payments/donation-panel.tsx';
import { useAuth, useAuthActions } from '../session/use-auth.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { PublicPage } from '../ui/public-page.tsx';
import { ACCESS_VERIFIED } from '../storage-keys.ts';
import { PATTERNS, vibrate } from '../vibration.ts';
import { setAccessVerified } from './flags.ts';

/** How long 'Access Granted!' is shown before the dashboard opens. */
const GRANTED_MS = 1500;

export default function AccessCodePage() {
  const { user, fetchUser } = useAuth();
  const auth = useAuthActions();
  const navigate = useNavigate();
  const [code, setCode] = useState('');
  const [state, setState] = useState<'open' | 'checking' | 'granted'>('open');
  const [error, setError] = useState('');

  useEffect(() => {
    if (state !== 'granted') return;
    const timer = setTimeout(() => navigate('/home'), GRANTED_MS);
    return () => clearTimeout(timer);
  }, [state, navigate]);

  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    // Skips the form if another tab has passed the gate.
    const follow = async ({ key, newValue }: StorageEvent) => {
      if (key !== ACCESS_VERIFIED || newValue !== 'true') return;
      await fetchUser();
      if (!signal.aborted) setState('granted');
    };
    window.addEventListener('storage', (event) => void follow(event), { signal });
    return () => leaving.abort();
  }, [fetchUser]);

  function letIn(used: string, expiresAt: string) {
    setAccessVerified();
    void reportAccess(used);
    auth.letIn(expiresAt);
    setState('granted');
    vibrate(PATTERNS.success);
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    const entered = code.trim().toUpperCase();
    if (!entered) return setError('Please enter an access code');
    setState('checking');
    setError('');
    try {
      const { expires_at } = await call(validateCode, { body: { code: entered } });
      letIn(entered, expires_at);
    } catch (refusal) {
      vibrate(PATTERNS.error);
      setState('open');
      setError(
        refusal instanceof CallError && refusal.status !== 0
          ? refusal.message
          : 'Failed to verify access code. Please try again.',
      );
    }
  }

  return (
    <PublicPage title="Access code">
      <div className="mx-auto flex max-w-md flex-col gap-6 py-8 md:py-16">
        <div className="flex flex-col gap-2">
          <h1 tabIndex={-1} className="text-3xl font-bold tracking-tight">
            Enter your access code
          </h1>
          <p className={state === 'granted' ? 'sr-only' : 'text-soft'}>
            We’re growing by invitation, so there will be people to meet where you walk. Your code
            came with your invitation.
          </p>
        </div>
        <div role="status" className="empty:hidden">
          {state === 'granted' && (
            <p className="flex items-center gap-3 rounded-card border-2 border-accent bg-accent-soft p-5 text-xl font-bold">
              <CircleCheck aria-hidden className="size-7 shrink-0 text-accent" />
              Access Granted!
            </p>
          )}
        </div>
        {state !== 'granted' && (
          <form onSubmit={submit} noValidate className="flex flex-col gap-4">
            <Field
              label="Access code"
              name="code"
              value={code}
              onChange={(event) => setCode(event.target.value)}
              error={error}
              maxLength={GATE_CODE_MAX}
              required
              autoComplete="off"
              autoCapitalize="characters"
              autoCorrect="off"
              spellCheck={false}
              className="text-center text-xl font-bold tracking-[0.15em] uppercase"
            />
            <Button type="submit" wide pending={state === 'checking' && 'Checking your code…'}>
              Continue
            </Button>
          </form>
        )}
        {state !== 'granted' && <DonationPanel onGranted={letIn} />}
        {!user && state !== 'granted' && (
          <p className="text-center text-soft">
            Here before?{' '}
            <Link
              to="/welcome"
              className="inline-flex min-h-11 items-center font-bold text-accent underline underline-offset-4"
            >
              Sign in
            </Link>
          </p>
        )}
      </div>
    </PublicPage>
  );
}
