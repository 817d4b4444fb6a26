export default function LearnMoreScreen() { return <h1>LearnMoreScreen</h1> }
