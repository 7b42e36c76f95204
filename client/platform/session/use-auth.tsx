import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import type { CurrentUser } from '#shared/session/contract.ts';
import type * as CreateAuth from '../create-auth.ts';
import { importWithRetry } from '../lazy/import-with-retry.ts';
import { CURRENT_USER } from '../storage-keys.ts';
import type { Auth, AuthState } from './auth.ts';

type AuthActions = Pick<
  Auth,
  'fetchUser' | 'letIn' | 'redirectToLogin' | 'exchangeCodeForSessionToken' | 'logout'
>;

const ActionsContext = createContext<AuthActions | null>(null);
const StateContext = createContext<AuthState | null>(null);
const UserContext = createContext<CurrentUser | null | undefined>(undefined);

/** The state of a visitor. */
const NO_ONE: AuthState = { user: null, isPending: false, isFetching: false };

type Session = typeof CreateAuth;

/** Loads what knows who is signed in. */
export const loadSession = (): Promise<Session> =>
  importWithRetry(() => import('../create-auth.ts'));

/**
 * Provides the current user, fetched once at the start. Uses contexts, because an external store that changes during the
 * first concurrent render would make React start over synchronously.
 * @param session null for a visitor without an account, for whom it loads once they act
 */
export function AuthProvider({
  session,
  children,
}: {
  session: Session | null;
  children: ReactNode;
}) {
  const [current, setCurrent] = useState(() => session?.createAuth() ?? null);
  const [state, setState] = useState(() => current?.auth.getState() ?? NO_ONE);
  const [actions] = useState(() => current?.auth ?? actionsOf(setCurrent));
  useEffect(() => {
    if (!current) {
      // Somebody signs in in another tab.
      const look = ({ key, newValue }: StorageEvent) => {
        if (key === CURRENT_USER && newValue !== null) void actions.fetchUser();
      };
      window.addEventListener('storage', look);
      return () => window.removeEventListener('storage', look);
    }
    const { auth, follow } = current;
    const show = () => setState(auth.getState());
    const stopShowing = auth.subscribe(show);
    const stopFollowing = follow();
    // Applies a change between the first render and this effect.
    show();
    return () => {
      stopShowing();
      stopFollowing();
    };
  }, [current, actions]);
  return (
    <ActionsContext value={actions}>
      <StateContext value={state}>
        <UserContext value={state.user}>{children}</UserContext>
      </StateContext>
    </ActionsContext>
  );
}

/** The actions of a visitor, which load what they need. */
function actionsOf(onCreated: (current: CreateAuth.CurrentSession) => void): AuthActions {
  let creating: Promise<Auth> | undefined;
  const create = async () => {
    const created = (await loadSession()).createAuth();
    onCreated(created);
    return created.auth;
  };
  const auth = () =>
    (creating ??= create().catch((error: unknown) => {
      creating = undefined;
      throw error;
    }));
  return {
    fetchUser: async () => (await auth()).fetchUser(),
    letIn: (until) => void auth().then((created) => created.letIn(until)),
    redirectToLogin: async (...given) => (await auth()).redirectToLogin(...given),
    exchangeCodeForSessionToken: async (search) =>
      (await auth()).exchangeCodeForSessionToken(search),
    logout: async () => (await auth()).logout(),
  };
}

const OUTSIDE = 'useAuth must be used within a AuthProvider';

/**
 * Returns the current user, the state of fetching them, and actions.
 * @throws outside an AuthProvider
 */
export function useAuth() {
  const state = useContext(StateContext);
  if (!state) throw new Error(OUTSIDE);
  const { fetchUser, redirectToLogin, exchangeCodeForSessionToken, logout } = useAuthActions();
  return { ...state, fetchUser, redirectToLogin, exchangeCodeForSessionToken, logout };
}

/**
 * Returns only the current user, so that components don't render again for fetch states.
 * @throws outside an AuthProvider
 */
export function useUser(): CurrentUser | null {
  const user = useContext(UserContext);
  if (user === undefined) throw new Error(OUTSIDE);
  return user;
}

/**
 * Returns the actions that change who is signed in.
 * @throws outside an AuthProvider
 */
export function useAuthActions(): AuthActions {
  const actions = useContext(ActionsContext);
  if (!actions) throw new Error(OUTSIDE);
  return actions;
}
