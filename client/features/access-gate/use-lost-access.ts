import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { onRefusal } from '../../platform/http/api.ts';
import { useAuthActions } from '../../platform/session/use-auth.tsx';
import { clearAccessVerified } from './flags.ts';
import { rememberWanted } from './wanted-path.ts';

/** Redirects to the gate when the server rejects a call because access has expired. */
export function useLostAccess(): void {
  const { fetchUser } = useAuthActions();
  const navigate = useNavigate();
  useEffect(
    () =>
      onRefusal((refusal) => {
        if (refusal.status !== 403 || refusal.code !== 'no_access') return;
        rememberWanted(location.pathname + location.search);
        clearAccessVerified();
        void fetchUser();
        void navigate('/access-code', { replace: true });
      }),
    [fetchUser, navigate],
  );
}
