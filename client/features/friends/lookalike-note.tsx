import { TriangleAlert } from 'lucide-react';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { createLookalikes, type LookalikeOf } from '#shared/friends/lookalikes.ts';
import { importWithRetry } from '../../platform/lazy/import-with-retry.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { useOwnCard } from '../card/use-card.ts';
import { useFriendNames } from './use-contacts.ts';

type SkeletonsOf = Parameters<typeof createLookalikes>[2];

const LookalikesContext = createContext<LookalikeOf>(() => null);

/** Knows the names of the owner's friends, for `useLookalikes`. */
export function LookalikeProvider({ children }: { children: ReactNode }) {
  const user_id = useUser()?.id ?? '';
  const name = useOwnCard()?.display_name ?? '';
  const friends = useFriendNames();
  const [skeletonsOf, setSkeletonsOf] = useState<SkeletonsOf | null>(null);
  // The table of signs that look alike is not part of the start.
  useEffect(() => {
    importWithRetry(() => import('#shared/normalization/name-skeleton.ts')).then(
      (module) => setSkeletonsOf(() => module.skeletonsOf),
      (error: unknown) => console.warn('Names can’t be compared', error),
    );
  }, []);
  const lookalikeOf = useMemo(
    () => (skeletonsOf ? createLookalikes({ user_id, name }, friends, skeletonsOf) : () => null),
    [user_id, name, friends, skeletonsOf],
  );
  return <LookalikesContext value={lookalikeOf}>{children}</LookalikesContext>;
}

/** Returns what to say of a name that looks like a friend's or the owner's own: 'Not your friend Alex'. */
export const useLookalikes = (): LookalikeOf => useContext(LookalikesContext);

/** Says of a person that they are not whom their name looks like. Goes wherever the name of somebody is shown. */
export function LookalikeNote({
  userId,
  name,
  className = 'text-sm',
}: {
  userId: string;
  name: string;
  className?: string;
}) {
  const note = useLookalikes()(userId, name);
  if (note === null) return null;
  return (
    <span className={`flex max-w-full items-center gap-1.5 font-bold ${className}`}>
      <TriangleAlert aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 break-words">{note}</span>
    </span>
  );
}
