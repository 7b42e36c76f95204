import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { onRefusal } from '../http/api.ts';
import { useAuthActions } from '../session/use-auth.tsx';

/** Redirects to the gate when the server rejects a call because access has expired. */
export function useLostAccess(): void {
  const { fetchUser } = useAuthActions();
  const navigate = useNavigate();
  useEffect(
    () =>
      onRefusal((refusal) => {
        if (refusal.status !== 403 || refusal.code !== 'no_access') return;
        void forgetAccess().then(() =>
          Promise.all([fetchUser(), navigate('/access-code', { replace: true })]),
        );
      }),
    [fetchUser, navigate],
  );
}

/** Remembers this screen for later. Loads the code on demand, because the landing page has this hook, too. */
async function forgetAccess(): Promise<void> {
  const wanted = location.pathname + location.search;
  const [{ clearAccessVerified }, { rememberWanted }] = await Promise.all([
    import('./flags.ts'),
    import('./wanted-path.ts'),
  ]);
  rememberWanted(wanted);
  clearAccessVerified();
}
