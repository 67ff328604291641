/** A setting by its name, the levels above it joined by ".": "database.default.password". */
export type NamedSetting = { name: string; value: string };
