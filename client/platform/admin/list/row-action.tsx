import { Eye, type LucideIcon, Pencil, Trash2 } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Button } from '../../ui/buttons/button.tsx';
import { Switch } from '../../ui/inputs/switch.tsx';

const ICONS: Partial<Record<string, LucideIcon>> = { Delete: Trash2, Details: Eye, Edit: Pencil };

/** What can be done with a row, in one look: in words where a phone opens the row; in a table only the icon, unless `isNamed`. */
export function RowAction({
  word,
  about,
  Icon = ICONS[word],
  isNamed = Icon === undefined,
  isDue = false,
  disabled = false,
  onClick,
}: {
  word: string;
  /** The row, after the word; only for screen readers and on hover. */
  about: string;
  Icon?: LucideIcon | undefined;
  /** Whether a table has room for the word, or needs it because the act has consequences. */
  isNamed?: boolean;
  /** Whether the row waits for it. */
  isDue?: boolean;
  disabled?: boolean;
  onClick: () => void;
}) {
  return (
    <Button
      look={isDue ? 'primary' : 'secondary'}
      title={`${word} ${about}`}
      disabled={disabled}
      onClick={onClick}
      Icon={Icon}
      className={`min-h-11! px-3! sm:whitespace-nowrap ${isNamed ? '' : 'xl:size-11 xl:border-0! xl:p-0!'}`}
    >
      <span className={isNamed ? '' : 'xl:sr-only'}>{word}</span>
      <span className="sr-only"> {about}</span>
    </Button>
  );
}

/** A switch of a row, with its word where a phone opens the row. */
export function RowSwitch({ word, ...rest }: ComponentProps<typeof Switch> & { word: string }) {
  return (
    <span className="inline-flex items-center gap-2 max-xl:mr-auto">
      <Switch {...rest} />
      <span aria-hidden className="font-bold xl:hidden">
        {word}
      </span>
    </span>
  );
}
