import { useState } from 'react';
import type { Ad } from '#shared/ads/contract.ts';

/** Whether the browser asks to save data; then ads have no pictures. */
const savesData = () =>
  matchMedia('(prefers-reduced-data: reduce)').matches ||
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

const LOOKS = {
  banner: { edge: 40, picture: 'size-10', title: 'line-clamp-1', words: 'line-clamp-2' },
  inline: { edge: 80, picture: 'size-20', title: 'line-clamp-2', words: 'line-clamp-2' },
  sidebar: { edge: 128, picture: 'size-32', title: 'line-clamp-2', words: 'line-clamp-3' },
  modal: { edge: 128, picture: 'size-32', title: 'line-clamp-3', words: 'line-clamp-4' },
};

/** Classes of an ad's frame, which fills its slot. */
export const AD_FRAME =
  'flex size-full items-center gap-3 overflow-hidden rounded-card border border-line bg-surface px-3 text-ink';

/** The content of an ad. */
export function AdFace({
  title,
  description,
  image_url,
  placement,
}: Pick<Ad, 'title' | 'description' | 'image_url' | 'placement'>) {
  const [broken, setBroken] = useState<string | null>(null);
  const [isSaving] = useState(savesData);
  const look = LOOKS[placement];
  return (
    <>
      {image_url && image_url !== broken && !isSaving ? (
        <img
          src={image_url}
          alt=""
          width={look.edge}
          height={look.edge}
          loading="lazy"
          decoding="async"
          onError={() => setBroken(image_url)}
          className={`${look.picture} shrink-0 rounded-control bg-sunken object-cover`}
        />
      ) : (
        <span
          aria-hidden
          className={`${look.picture} flex shrink-0 items-center justify-center rounded-control bg-accent-soft text-2xl font-bold text-accent uppercase`}
        >
          {String.fromCodePoint(title.codePointAt(0) ?? 0)}
        </span>
      )}
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="text-xs text-soft">Sponsored</span>
        <span className={`leading-tight font-bold ${look.title}`}>{title}</span>
        <span className={`text-sm text-soft ${look.words}`}>{description}</span>
      </span>
    </>
  );
}
