import { ChevronLeft, ChevronRight, Download, X, ZoomIn, ZoomOut } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useEffect, useRef, useState } from 'react';
import { splitMessageId } from '#shared/chat/document.ts';
import { PHOTO_TEXT } from '#shared/chat/rules.ts';
import { getFile } from '#shared/files/contract.ts';
import { pathOf } from '../../../platform/http/api-client.ts';
import { IconButton } from '../../../platform/ui/buttons/icon-button.tsx';
import { asTopDialog } from '../../../platform/ui/dialogs/top-dialog.ts';
import type { ShownMessage } from '../types.ts';
import { useAttachments } from './use-attachments.ts';

const ZOOMS = [1, 2, 4] as const;

/** The photos of a chat, one at a time on the whole screen, to zoom and to save. */
export function PhotoViewer({
  photos,
  messageId,
  source,
  onClose,
}: {
  /** The messages with photos that are loaded, first to last. */
  photos: readonly ShownMessage[];
  /** The one that is opened, and where its photo is. */
  messageId: string;
  source: string;
  onClose: () => void;
}) {
  const [id, setId] = useState(messageId);
  const [step, setStep] = useState(0);
  const waiting = useAttachments();
  const place = useRef<HTMLDivElement>(null);
  const at = photos.findIndex((message) => message.id === id);
  const message = photos[at];
  const sourceOf = (shown: ShownMessage | undefined): string => {
    const key = shown?.photo?.image_key;
    const here = shown && waiting.get(splitMessageId(shown.id).key)?.url;
    return here ?? (key ? pathOf(getFile, { key }) : '');
  };
  const shown = id === messageId ? source : sourceOf(message);
  const zoom = ZOOMS[step] ?? 1;
  const move = (by: -1 | 1) => {
    const next = photos[at + by];
    if (!next || !sourceOf(next)) return;
    setId(next.id);
    setStep(0);
  };
  const showMiddle = () => {
    const { current } = place;
    current?.scrollTo({
      left: (current.scrollWidth - current.clientWidth) / 2,
      top: (current.scrollHeight - current.clientHeight) / 2,
      behavior: 'instant',
    });
  };
  useEffect(showMiddle, [step]);
  const caption = message && message.text !== PHOTO_TEXT ? message.text : '';
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Content
          ref={asTopDialog}
          aria-describedby={undefined}
          onKeyDown={({ key }) => {
            if (key === 'ArrowLeft') move(-1);
            if (key === 'ArrowRight') move(1);
          }}
          className="fixed inset-0 z-50 flex animate-appear flex-col bg-surface pt-[env(safe-area-inset-top)] pb-[env(safe-area-inset-bottom)] text-ink"
        >
          <div className="flex items-center justify-between gap-1 px-2 py-1">
            <Dialog.Title className="min-w-0 truncate pl-2 text-lg font-bold">Photo</Dialog.Title>
            <div className="flex">
              <IconButton
                Icon={ZoomOut}
                label="Zoom out"
                disabled={step === 0}
                onClick={() => setStep(step - 1)}
              />
              <IconButton
                Icon={ZoomIn}
                label="Zoom in"
                disabled={step === ZOOMS.length - 1}
                onClick={() => setStep(step + 1)}
              />
              <a
                href={shown}
                download="photo.jpg"
                aria-label="Save photo"
                title="Save photo"
                className="flex size-11 items-center justify-center rounded-control hover:bg-sunken"
              >
                <Download aria-hidden className="size-5" />
              </a>
              <Dialog.Close asChild>
                <IconButton Icon={X} label="Close" />
              </Dialog.Close>
            </div>
          </div>
          <div
            ref={place}
            className="grid min-h-0 flex-1 touch-pan-x touch-pan-y overflow-auto overscroll-contain"
          >
            <button
              type="button"
              aria-label={zoom === 1 ? 'Zoom in on the photo' : 'Show the whole photo'}
              onClick={() => setStep(step === 0 ? 1 : 0)}
              style={{ width: `${zoom * 100}%`, height: `${zoom * 100}%` }}
              className="m-auto block"
            >
              <img
                src={shown}
                alt={caption || `Photo from ${message?.isOwn ? 'you' : 'your friend'}`}
                className="size-full object-contain"
              />
            </button>
          </div>
          <div className="flex items-center justify-between gap-2 px-2 py-1">
            <IconButton
              Icon={ChevronLeft}
              label="Earlier photo"
              disabled={at <= 0}
              onClick={() => move(-1)}
            />
            <p className="min-w-0 text-center break-words">{caption}</p>
            <IconButton
              Icon={ChevronRight}
              label="Later photo"
              disabled={at < 0 || at === photos.length - 1}
              onClick={() => move(1)}
            />
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
