import { useEffect, useState } from 'react';
import { askers, friendLinkOf, previewFriendLink } from '#shared/friend-links/contract.ts';
import { call } from '../../platform/http/api.ts';

/**
 * Returns who asks a guest who opened a friend link: 'Alex and Biscuit want to walk with you'. Null until it is known, and where
 * the link leads to no one.
 * @param path of the screen that the guest wanted
 */
export function useWantedFriend(path: string): string | null {
  const token = friendLinkOf(path)?.token;
  const [words, setWords] = useState<string | null>(null);
  useEffect(() => {
    if (token === undefined) return;
    const leaving = new AbortController();
    call(previewFriendLink, { body: { token }, signal: leaving.signal }).then(
      (asking) =>
        setWords(
          `${askers(asking)} ${asking.dog_names.length > 0 ? 'want' : 'wants'} to walk with you`,
        ),
      // The gate says what to do without it.
      () => {},
    );
    return () => leaving.abort();
  }, [token]);
  return words;
}
