// Takes the place of Node's `crypto`: see `alias` in wrangler.toml.
export default {};
