import type { ComponentProps } from 'react';
import { Switch } from '../../ui/inputs/switch.tsx';

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
