export default function SoonScreen() { return <h1>Soon</h1> }
