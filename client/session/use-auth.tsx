import {
  createContext,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import { call, onRefusal } from '../api.ts';
import { Auth } from './auth.ts';
import {
  isLogoutOwed,
  onRememberedUserChange,
  oweLogout,
  rememberedUser,
  rememberUser,
} from './remembered-user.ts';

const AuthContext = createContext<Auth | null>(null);

/** Gives everything below it the current user, fetched once at the start. */
export function AuthProvider({ children }: { children: ReactNode }) {
  const [auth] = useState(() => {
    const made = new Auth({
      call,
      remembered: rememberedUser(),
      remember: rememberUser,
      isLogoutOwed,
      oweLogout,
      navigate: (url) => location.assign(url),
      forgetLocalData: async (userId) => {
        const { forgetLocalData } = await import('../sync/current-documents.ts');
        await forgetLocalData(userId);
      },
    });
    // Before anything is drawn: the question is on its way sooner, and nobody is drawn twice for its being asked.
    void made.fetchUser();
    return made;
  });
  useEffect(() => {
    const fetchUser = () => void auth.fetchUser();
    fetchUser();
    window.addEventListener('online', fetchUser);
    const stopListening = [
      onRememberedUserChange(auth.become),
      onRefusal((refusal) => {
        if (refusal.status === 401 && auth.getState().user) fetchUser();
      }),
      () => window.removeEventListener('online', fetchUser),
    ];
    return () => stopListening.forEach((stop) => stop());
  }, [auth]);
  return <AuthContext value={auth}>{children}</AuthContext>;
}

/**
 * The current user, and what changes who that is.
 * @throws outside an AuthProvider
 */
export function useAuth() {
  const auth = useContext(AuthContext);
  if (!auth) throw new Error('useAuth must be used within a AuthProvider');
  const state = useSyncExternalStore(auth.subscribe, auth.getState);
  const { fetchUser, redirectToLogin, exchangeCodeForSessionToken, logout } = auth;
  return { ...state, fetchUser, redirectToLogin, exchangeCodeForSessionToken, logout };
}
