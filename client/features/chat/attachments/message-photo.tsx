import { ImageOff, LoaderCircle } from 'lucide-react';
import { useState } from 'react';
import type { MessagePhoto as Photo } from '#shared/chat/document.ts';
import { splitMessageId } from '#shared/chat/document.ts';
import { getFile } from '#shared/files/contract.ts';
import { pathOf } from '../../../platform/http/api-client.ts';
import { useUser } from '../../../platform/session/use-auth.tsx';
import { noteFile } from './attachment-cache.ts';
import { useAttachments, useIsLate } from './use-attachments.ts';

/** The largest size on the screen in pixels; a very tall or wide photo is cut. */
const EDGE = 260;
const RATIO = { min: 0.6, max: 1.8 };

/** The photo of a message: from this device until the server has it. A tap shows it larger. */
export function MessagePhoto({
  messageId,
  sentAt,
  photo,
  alt,
  onOpen,
}: {
  messageId: string;
  sentAt: string;
  photo: Photo;
  alt: string;
  onOpen: (source: string) => void;
}) {
  const userId = useUser()?.id ?? '';
  const { documentId, key } = splitMessageId(messageId);
  const waiting = useAttachments().get(key);
  const [broken, setBroken] = useState<string | null>(null);
  const { image_key } = photo;
  const source = waiting?.url ?? (image_key && pathOf(getFile, { key: image_key }));
  const ratio = Math.min(RATIO.max, Math.max(RATIO.min, photo.width / photo.height));
  const size = { width: ratio > 1 ? EDGE : Math.round(EDGE * ratio), aspectRatio: String(ratio) };
  const box = 'max-w-full overflow-hidden rounded-2xl bg-sunken text-soft';
  if (!source || source === broken)
    return (
      <span
        style={size}
        className={`${box} flex flex-col items-center justify-center gap-2 p-3 text-center text-sm`}
      >
        {source ? (
          <>
            <ImageOff aria-hidden className="size-6" />
            This photo isn’t on this device yet. Connect to the internet to load it.
            <button
              type="button"
              onClick={() => setBroken(null)}
              className="min-h-11 px-2 font-bold text-accent"
            >
              Try again
            </button>
          </>
        ) : (
          <MissingPhoto sentAt={sentAt} />
        )}
      </span>
    );
  return (
    <>
      <button
        type="button"
        aria-label={alt}
        onClick={() => onOpen(source)}
        style={size}
        className={`${box} block border border-line`}
      >
        <img
          src={source}
          alt=""
          className="size-full object-cover"
          onLoad={() => image_key && noteFile(userId, image_key, `automerge:${documentId}`)}
          onError={() => setBroken(source)}
        />
      </button>
      {waiting?.state === 'refused' && (
        <p className="mt-1 text-sm font-bold text-poor">
          {waiting.problem || 'This photo couldn’t be sent.'}
        </p>
      )}
    </>
  );
}

/** In place of a photo that the server doesn't have. */
function MissingPhoto({ sentAt }: { sentAt: string }) {
  const isLate = useIsLate(sentAt);
  const Icon = isLate ? ImageOff : LoaderCircle;
  return (
    <>
      <Icon aria-hidden className="size-6" />
      {isLate ? 'This photo hasn’t arrived. It may not have been sent.' : 'Photo on its way…'}
    </>
  );
}
