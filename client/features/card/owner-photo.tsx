import { UserRound } from 'lucide-react';
import { Picture } from './picture.tsx';

/** An owner's photo; the first letter of their name without one. Decorative: the name is next to it. */
export function OwnerPhoto({
  imageKey,
  name,
  url,
  className,
}: {
  imageKey: string | null | undefined;
  name: string;
  url?: string | undefined;
  className: string;
}) {
  const letter = /\p{L}/u.exec(name)?.[0].toUpperCase();
  return (
    <Picture
      imageKey={imageKey}
      url={url}
      className={`rounded-full bg-accent-soft font-bold text-ink ${className}`}
    >
      {letter ?? <UserRound className="size-1/2" />}
    </Picture>
  );
}
