export type Colleague = { name: string; office: string; age: string };

export const colleagues: readonly Colleague[] = [
  { name: 'ada', office: 'north', age: '36' },
  { name: 'bob', office: 'south', age: '41' },
  { name: 'cleo', office: 'north', age: '29' },
];

export const colleaguesPage = (found: readonly Pick<Colleague, 'name' | 'office'>[]): string =>
  `<ul>${found.map(({ name, office }) => `<li>Colleague ${name}</li><li>Office ${office}</li>`).join('')}</ul>`;
