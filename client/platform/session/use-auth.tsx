import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import type { CurrentUser } from '#shared/session/contract.ts';
import { call, onRefusal } from '../http/api.ts';
import { Auth, type AuthState } from './auth.ts';
import { mayBeSignedIn } from './may-be-signed-in.ts';
import {
  pendingEndedSessions,
  hasUnsentChanges,
  isLogoutPending,
  markEndedSessionPending,
  onAskForUser,
  onRememberedUserChange,
  markLogoutPending,
  rememberedUser,
  rememberUser,
  pendingRemovals,
  settleEndedSession,
} from './remembered-user.ts';

type AuthActions = Pick<
  Auth,
  'fetchUser' | 'letIn' | 'redirectToLogin' | 'exchangeCodeForSessionToken' | 'logout'
>;

const ActionsContext = createContext<AuthActions | null>(null);
const StateContext = createContext<AuthState | null>(null);
const UserContext = createContext<CurrentUser | null | undefined>(undefined);

const isRemovalPending = () =>
  hasUnsentChanges() || pendingRemovals().length + pendingEndedSessions().length > 0;

async function retryRemovals(): Promise<void> {
  try {
    const documents = await import('../sync/documents/current-user-documents.ts');
    await documents.retryPendingRemovals();
  } catch (error) {
    console.error('Failed to remove local data', error);
  }
}

/**
 * Provides the current user, fetched once at the start. Uses contexts, because an external store that changes during the
 * first concurrent render would make React start over synchronously.
 */
export function AuthProvider({ children }: { children: ReactNode }) {
  const [auth] = useState(() => {
    const made = new Auth({
      call,
      remembered: rememberedUser(),
      remember: (user) => {
        rememberUser(user);
        // A user who is signed in again keeps their data.
        if (user) settleEndedSession(user.id);
      },
      untilRemoved: async (userId) => {
        if (!pendingEndedSessions().some(({ user }) => user.id === userId)) return;
        const { untilRemoved } = await import('../sync/documents/current-user-documents.ts');
        await untilRemoved(userId);
      },
      mayBeSignedIn,
      isLogoutPending,
      markLogoutPending,
      navigate: (url) => location.assign(url),
      removeEndedSession: async ({ id, documents, former_documents }) => {
        const session = { user: { id, documents, former_documents }, at: Date.now() };
        // Recorded first, so that the next start can finish an interrupted removal.
        markEndedSessionPending(session);
        const { removeEndedSession } = await import('../sync/documents/current-user-documents.ts');
        await removeEndedSession(session);
      },
      forgetLocalData: async (userId) => {
        const { forgetLocalData } = await import('../sync/documents/current-user-documents.ts');
        await forgetLocalData(userId);
      },
    });
    // Requested before the first render to save time.
    void made.fetchUser();
    if (isRemovalPending()) void retryRemovals();
    return made;
  });
  const [state, setState] = useState(auth.getState);
  useEffect(() => {
    const show = () => setState(auth.getState());
    const fetchUser = () => void auth.fetchUser();
    let userId = auth.getState().user?.id;
    // Cached answers of one user must not be shown to the next, in any tab.
    const clearAnswers = () => {
      const before = userId;
      userId = auth.getState().user?.id;
      if (before === undefined || before === userId) return;
      void import('../http/query-client.ts').then(({ queries }) => queries.clear());
      void import('./sign-in-again.ts').then(({ forgetPlace }) => forgetPlace());
    };
    window.addEventListener('online', fetchUser);
    const stopListening = [
      auth.subscribe(show),
      auth.subscribe(clearAnswers),
      onRememberedUserChange(auth.become),
      onAskForUser(fetchUser),
      onRefusal((refusal) => {
        if (refusal.status === 401 && auth.getState().user) fetchUser();
      }),
      () => window.removeEventListener('online', fetchUser),
    ];
    // Applies a change between the first render and this effect.
    show();
    return () => stopListening.forEach((stop) => stop());
  }, [auth]);
  return (
    <ActionsContext value={auth}>
      <StateContext value={state}>
        <UserContext value={state.user}>{children}</UserContext>
      </StateContext>
    </ActionsContext>
  );
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
