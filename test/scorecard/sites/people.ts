import type { TestIdentity, TestLogin } from '../../workflows/checks/harness.ts';

/** Who has accounts on the sites of the score card: two customers, and somebody who runs the place. */
export const people = [
  {
    id: 71,
    username: 'dora',
    password: 'correct-horse-5',
    name: 'Dora Dean',
    mail: 'dora@northwind.example',
    street: '47 Harbour Street',
    role: 'user',
  },
  {
    id: 72,
    username: 'emil',
    password: 'wrong-donkey-8',
    name: 'Emil Endt',
    mail: 'emil@southwind.example',
    street: '3 Orchard Rise',
    role: 'user',
  },
  {
    id: 2,
    username: 'vera',
    password: 'right-mule-13',
    name: 'Vera Voss',
    mail: 'vera@office.example',
    street: '1 Main Square',
    role: 'admin',
  },
] as const;

export type Person = Omit<(typeof people)[number], 'street' | 'role'> & { street: string; role: string };

/** Everybody, for one site to change as it likes. */
export const newPeople = (): Person[] => people.map((person) => ({ ...person }));

/** Their logins, those of the first `count` customers and, when asked for, of the administrator. */
export function identitiesOf(
  login: Omit<TestLogin, 'username' | 'password'> & { checkPath: string; markerOf?: (name: string) => string },
  { count = 2, withAdmin = false }: { count?: number; withAdmin?: boolean } = {},
): TestIdentity[] {
  const { checkPath, markerOf = (name: string) => name, ...rest } = login;
  const [dora, emil, vera] = people;
  return [...[dora, emil].slice(0, count), ...(withAdmin ? [vera] : [])].map((person) => ({
    name: person.username,
    role: person.role,
    checkPath,
    marker: markerOf(person.name),
    login: { ...rest, username: person.username, password: person.password },
  }));
}
