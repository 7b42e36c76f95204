import { useState } from 'react';
import { optionsOf, SelectField } from '../../platform/ui/inputs/select-field.tsx';
import { Card } from '../../platform/ui/layout/card.tsx';
import { chooseTheme, chosenTheme, THEME_NAMES } from './theme.ts';

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
        options={optionsOf(THEME_NAMES)}
        value={chosen ?? 'system'}
        onChange={({ target }) => choose(target.value)}
        hint="For this device."
      />
    </Card>
  );
}
