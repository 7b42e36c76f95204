import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { encodeQR } from 'qr';
import { useEffect, useMemo, useRef, useState } from 'react';
import { toast } from 'sonner';
import {
  friendLinkUrl,
  getFriendLink,
  renewFriendLink,
  createLiveCode,
} from '#shared/friend-links/contract.ts';
import { LIVE_CODE_SHOWN_SECONDS } from '#shared/friend-links/rules.ts';
import { call } from '../../platform/http/api.ts';
import { errorMessage } from '../../platform/http/error-message.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { ConfirmDialog } from '../../platform/ui/dialogs/confirm-dialog.tsx';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { LinkField } from '../../platform/ui/inputs/link-field.tsx';
import { useContactActions, useContacts } from '../friends/use-contacts.ts';
import { replaceFriendLink, useFriendLink } from './use-friend-link.ts';

/** Modules of free space around a code, which scanners need. */
const MARGIN = 4;

/** A QR code, dark on light in both themes, because many scanners can't read inverted ones. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const rows = encodeQR(text, 'raw', { ecc: 'medium', border: MARGIN });
    return {
      size: rows.length,
      path: rows
        .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
        .join(''),
    };
  }, [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="aspect-square w-full max-w-72 rounded-control border border-line"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

/** The user's QR code: a person who scans it can send them a friend request. */
export default function FriendQr() {
  const user = useUser();
  const { data, isError, isPaused, refetch } = useFriendLink();
  const [isAsking, setAsking] = useState(false);
  const liveCode = useLiveCode();
  useNewFriends();
  if (!data)
    return isError || isPaused ? (
      <ErrorBanner title={getFriendLink.failure} onRetry={() => void refetch()}>
        {isPaused
          ? 'You’re offline. Connect to the internet once to load it.'
          : 'Please try again in a moment.'}
      </ErrorBanner>
    ) : (
      <Skeleton label="Loading your QR code…" lines={5} />
    );
  const link = friendLinkUrl(location.origin, data.friend_link);
  const shown = friendLinkUrl(location.origin, data.friend_link, liveCode);

  async function replace() {
    try {
      await replaceFriendLink(user?.id ?? '');
      toast('You have a new QR code. The old one doesn’t work anymore.');
    } catch (error) {
      toast.error(errorMessage(error, renewFriendLink.failure));
    }
  }

  return (
    <div className="flex flex-col gap-4">
      <div className="self-center">
        <QrCode text={shown} label={`QR code with the link ${shown}`} />
      </div>
      <p className="text-center text-soft">
        {liveCode === null
          ? 'Let someone scan it. They’ll see your profile and can send you a friend request.'
          : 'Let someone scan it now: you’ll be friends at once. It works for one person, and changes every minute.'}
      </p>
      <LinkField label="Or share this link, for a friend request" link={link} />
      <Button look="quiet" onClick={() => setAsking(true)} Icon={RefreshCw}>
        Replace this QR code
      </Button>
      <ConfirmDialog
        isHarmless
        open={isAsking}
        title="Replace your QR code?"
        description="The old code and its link stop working. Your friends and requests stay."
        yes="Replace"
        onYes={() => void replace()}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}

/** Says who became a friend while the code is shown. */
function useNewFriends() {
  const { status, contacts } = useContacts();
  const { greet } = useContactActions();
  const before = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (status !== 'ready') return;
    for (const friend of contacts.friends)
      if (before.current && !before.current.has(friend.user_id)) greet(friend);
    before.current = new Set(contacts.friends.map(({ user_id }) => user_id));
  }, [status, contacts.friends, greet]);
}

/**
 * Returns the code that is shown for a scan now, which is replaced before it ends; null while there is none, as without a
 * network.
 */
function useLiveCode(): string | null {
  const { data, isError } = useQuery({
    queryKey: ['live-code', useUser()?.id],
    queryFn: async () => (await call(createLiveCode)).live_code,
    // Not even one that was shown a moment ago: it may have been scanned.
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchInterval: LIVE_CODE_SHOWN_SECONDS * 1_000,
  });
  const token = data?.token;
  const [endedToken, setEndedToken] = useState<string>();
  useEffect(() => {
    if (!data) return;
    // No newer one came, as without a network.
    const timer = setTimeout(() => setEndedToken(data.token), data.seconds * 1_000);
    return () => clearTimeout(timer);
  }, [data]);
  return token === undefined || isError || token === endedToken ? null : token;
}
