import { useState } from 'react';
import { optionsOf, SelectField } from '../../platform/ui/inputs/select-field.tsx';
import { Card } from '../../platform/ui/layout/card.tsx';
import type { Theme } from './page-theme.ts';
import { chooseTheme, chosenTheme } from './theme.ts';

const NAMES: Record<'system' | Theme, string> = {
  system: 'System',
  light: 'Light',
  dark: 'Dark',
};

/** The theme of this device. */
export function ThemeSettings() {
  const [chosen, setChosen] = useState(chosenTheme);
  function choose(value: string) {
    const theme = value === 'light' || value === 'dark' ? value : null;
    setChosen(theme);
    void chooseTheme(theme).catch((error: unknown) =>
      console.warn('The theme wasn’t stored for the next start', error),
    );
  }
  return (
    <Card title="Appearance" id="appearance">
      <SelectField
        label="Theme"
        options={optionsOf(NAMES)}
        value={chosen ?? 'system'}
        onChange={({ target }) => choose(target.value)}
        hint="For this device."
      />
    </Card>
  );
}
